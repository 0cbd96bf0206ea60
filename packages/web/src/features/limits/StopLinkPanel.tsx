import type { Reply } from '@digger/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { read } from '../../api/read.ts'
import { send } from '../../api/send.ts'
import { ask } from '../../ask/ask.ts'
import { Button } from '../../components/Button.tsx'
import { Facts, Panel } from '../../components/Panel.tsx'
import { QueryView } from '../../components/QueryView.tsx'
import { stamp } from '../../format/time.ts'
import { usePathUser } from '../../url/user.ts'
import { useOthersPage } from '../../viewer/viewer.ts'
import { NewStopLink } from './NewStopLink.tsx'
import css from './StopLinkPanel.module.css'

type StopLink = Reply<'stopLink'>

/** The secret address that halts this account without a log-in: makes it, shows it once, and makes it void. */
export function StopLinkPanel() {
  const userId = usePathUser()
  const client = useQueryClient()
  const place = { params: { userId } }
  const query = useQuery(read('stopLink', place))
  // Only here, and gone with the page: the server keeps no more than its hash.
  const [path, setPath] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const change = async (task: () => Promise<StopLink | undefined>) => {
    setBusy(true)
    const link = await task()
    if (link !== undefined) client.setQueryData(read('stopLink', place).queryKey, link)
    setBusy(false)
  }
  const make = () =>
    change(async () => {
      const made = await send('makeStopLink', { ...place, body: {} })
      if (made === null) return undefined
      setPath(made.path)
      return { createdAt: made.createdAt, usedAt: null }
    })
  const revoke = () =>
    change(async () => {
      if ((await send('revokeStopLink', place)) === null) return undefined
      setPath(null)
      return null
    })
  return (
    <Panel label="멈춤 링크">
      <h2>멈춤 링크</h2>
      <div className={css['link']}>
        <p>
          로그인하지 않고 이 계좌의 Digger 주문을 모두 취소하고 멈추는 비밀 주소입니다. 그 밖에는 아무것도 할 수 없고,
          다시 시작하려면 로그인해야 합니다.
        </p>
        {path !== null && <NewStopLink path={path} />}
        <QueryView query={query} rows={1}>
          {(link) => <Buttons link={link} busy={busy} make={make} revoke={revoke} />}
        </QueryView>
      </div>
    </Panel>
  )
}

interface ButtonsProps {
  link: StopLink
  busy: boolean
  make: () => Promise<void>
  revoke: () => Promise<void>
}

/** An administrator on another's page may only make it void: the secret belongs to the account's own person. */
function Buttons({ link, busy, make, revoke }: ButtonsProps) {
  const others = useOthersPage()
  const makeAnew = async () => {
    const note = '지금 쓰는 링크는 바로 쓸 수 없게 됩니다.'
    if (await ask.confirm('멈춤 링크를 새로 만들까요?', { note, yes: '새로 만들기', danger: true })) await make()
  }
  const revokeAsked = async () => {
    const note = '이 링크로는 더 멈출 수 없게 됩니다. 언제든 새로 만들 수 있습니다.'
    if (await ask.confirm('멈춤 링크를 없앨까요?', { note, yes: '없애기', danger: true })) await revoke()
  }
  return (
    <>
      {link && <Facts facts={factsOf(link)} />}
      {link === null && others && <p>만든 링크가 없습니다.</p>}
      {others && <p>링크는 이 계좌의 주인만 만들 수 있습니다.</p>}
      <div className={css['buttons']}>
        {!others && (
          <Button
            look={link === null ? 'main' : 'plain'}
            disabled={busy}
            onClick={() => void (link ? makeAnew() : make())}
          >
            {link === null ? '만들기' : '새로 만들기'}
          </Button>
        )}
        {link && (
          <Button disabled={busy} onClick={() => void revokeAsked()}>
            없애기
          </Button>
        )}
      </div>
    </>
  )
}

const factsOf = ({ createdAt, usedAt }: NonNullable<StopLink>) =>
  [
    ['만든 때', stamp(createdAt)],
    ['마지막으로 누른 때', usedAt === null ? '없음' : stamp(usedAt)],
  ] as const
