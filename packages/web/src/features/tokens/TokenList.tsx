import type { ApiToken } from '@digger/contract'
import { useState } from 'react'
import { send } from '../../api/send.ts'
import { ask } from '../../ask/ask.ts'
import { Tag } from '../../components/Badge.tsx'
import { BreakableAddress } from '../../components/BreakableAddress.tsx'
import { Button } from '../../components/Button.tsx'
import { Facts, Panel } from '../../components/Panel.tsx'
import { stamp } from '../../format/time.ts'
import { usePathUser } from '../../url/user.ts'
import { usePutTokens } from './tokenQueries.ts'
import { hasExpired, SCOPE_NAMES } from './tokenText.ts'
import css from './Tokens.module.css'

/** Tokens that work, and those that stopped a short while ago. */
export function TokenList({ tokens }: { tokens: readonly ApiToken[] }) {
  return (
    <Panel label="만든 토큰">
      <h2>만든 토큰</h2>
      {tokens.length === 0 ? (
        <p className={css['note']}>만든 토큰이 없습니다.</p>
      ) : (
        <ul className={css['rows']}>
          {tokens.map((token) => (
            <Token key={token.id} token={token} />
          ))}
        </ul>
      )}
    </Panel>
  )
}

function Token({ token }: { token: ApiToken }) {
  const userId = usePathUser()
  const put = usePutTokens()
  const [busy, setBusy] = useState(false)
  const { id, name, scope, createdAt, expiresAt, usedAt, usedFrom } = token
  const [now] = useState(Date.now)
  const over = hasExpired(token, now)
  const revoke = async () => {
    const note = '이 토큰을 쓰는 프로그램은 바로 더 보지 못합니다. 되돌릴 수 없고, 언제든 새로 만들 수 있습니다.'
    if (!(await ask.confirm(`${name}: 토큰을 없앨까요?`, { note, yes: '없애기', danger: true }))) return
    setBusy(true)
    const left = await send('revokeApiToken', { params: { userId, tokenId: id } })
    if (left !== null) put(() => left)
    setBusy(false)
  }
  return (
    <li data-over={over}>
      <div className={css['head']}>
        <h3>{name}</h3>
        <Tag text={over ? '기한 지남' : SCOPE_NAMES[scope]} tone={!over && scope === 'stop' ? 'red' : 'plain'} />
      </div>
      <Facts
        facts={[
          ['만든 때', stamp(createdAt)],
          [over ? '끝난 때' : '끝나는 때', stamp(expiresAt)],
          ['마지막으로 쓴 때', usedAt === null ? '없음' : stamp(usedAt)],
          ...(usedFrom === null ? [] : [['쓴 곳', <Address key="from" text={usedFrom} />] as const]),
        ]}
      />
      <div className={css['buttons']}>
        <Button disabled={busy} aria-label={`${name} 없애기`} onClick={() => void revoke()}>
          없애기
        </Button>
      </div>
    </li>
  )
}

/** Where a token came from: somebody else's use shows there. Longer than a phone is wide where it is IPv6. */
const Address = ({ text }: { text: string }) => (
  <span className={css['address']}>
    <BreakableAddress address={text} />
  </span>
)
