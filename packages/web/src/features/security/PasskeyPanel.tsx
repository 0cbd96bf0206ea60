import { useState } from 'react'
import { send } from '../../api/send.ts'
import { ask } from '../../ask/ask.ts'
import { Tag } from '../../components/Badge.tsx'
import { Button } from '../../components/Button.tsx'
import { Panel } from '../../components/Panel.tsx'
import { usePathUser } from '../../url/user.ts'
import { addPasskey, letOpenKey } from './addPasskey.ts'
import { Stamp } from './Stamp.tsx'
import css from './Security.module.css'
import { type FactorsView, showCodes, usePutFactors } from './useFactors.tsx'

type Passkey = FactorsView['passkeys'][number]

export function PasskeyPanel({ factors }: { factors: FactorsView }) {
  const userId = usePathUser()
  const put = usePutFactors()
  const [busy, setBusy] = useState(false)
  const add = async () => {
    const name = await ask.prompt(
      '패스키의 이름',
      { label: '이름', initial: '이 기기' },
      '어느 기기의 것인지 알아볼 이름',
    )
    if (name === null) return
    setBusy(true)
    const added = await addPasskey(userId, name)
    setBusy(false)
    if (added === null) return
    if (added.codes !== null) await showCodes(added.codes, true)
    await put(added.derives ? await letOpenKey(userId, added.factors) : added.factors)
  }
  return (
    <Panel label="패스키">
      <div className={css['panel']}>
        <h2>패스키</h2>
        <p className={css['note']}>
          지문이나 얼굴, 기기의 잠금으로 로그인합니다. 가짜 사이트에서는 쓸 수 없어 가장 안전합니다.
        </p>
        <ul className={css['rows']}>
          {factors.passkeys.map((passkey) => (
            <Row key={passkey.id} passkey={passkey} />
          ))}
        </ul>
        {factors.passkeys.length > 0 && !factors.passkeys.some(({ opensKey }) => opensKey) && (
          <p className={css['note']}>
            이 패스키들만으로는 증권사 키가 열리지 않습니다. 서버가 다시 켜진 뒤에는 비밀번호로 한 번 로그인해 주세요.
          </p>
        )}
        <Button disabled={busy} onClick={() => void add()}>
          패스키 더하기
        </Button>
        {!factors.passkeyOrigins.includes(location.origin) && (
          <p className={css['note']}>
            패스키는 {factors.passkeyOrigins.join(', ') || '서버에 정해진 주소'}에서만 만들고 쓸 수 있습니다.
          </p>
        )}
      </div>
    </Panel>
  )
}

function Row({ passkey: { id, name, createdAt, usedAt, backedUp, opensKey } }: { passkey: Passkey }) {
  const userId = usePathUser()
  const put = usePutFactors()
  const remove = async () => {
    const note = '이 패스키로는 더 로그인할 수 없습니다. 기기에 남은 것은 기기의 설정에서 지워 주세요.'
    if (!(await ask.confirm(`${name}: 패스키를 없앨까요?`, { note, yes: '없애기', danger: true }))) return
    const left = await send('removePasskey', { params: { userId, passkeyId: id } })
    if (left !== null) await put(left)
  }
  return (
    <li>
      <div className={css['head']}>
        <h3>{name}</h3>
        <span className={css['tags']}>
          {backedUp && <Tag text="동기화" tone="plain" />}
          {opensKey && <Tag text="증권사 키를 엽니다" tone="blue" />}
        </span>
      </div>
      <p className={css['note']}>
        더한 때 <Stamp at={createdAt} /> ·{' '}
        {usedAt === null ? (
          '아직 쓰지 않음'
        ) : (
          <>
            마지막으로 쓴 때 <Stamp at={usedAt} />
          </>
        )}
      </p>
      <Button look="quiet" aria-label={`${name} 없애기`} onClick={() => void remove()}>
        없애기
      </Button>
    </li>
  )
}
