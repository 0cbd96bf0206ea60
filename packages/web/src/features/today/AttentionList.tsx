import type { Today } from '@digger/contract'
import { Link } from 'wouter'
import { Note } from '../../components/Note.tsx'
import { stamp } from '../../format/time.ts'
import { number } from '../../format/won.ts'
import { usePathUser } from '../../url/user.ts'
import css from './AttentionList.module.css'

type Attention = Today['attention'][number]

/** What its person is called for; each leads to where it is seen to. */
export function AttentionList({ attention }: { attention: Today['attention'] }) {
  if (attention.length === 0) return null
  return (
    <section className={css['list']} aria-label="확인할 것">
      <h2>
        확인할 것 <small>{number(attention.length)}</small>
      </h2>
      {attention.map((one) => (
        <One key={`${one.kind} ${one.code ?? ''} ${one.text}`} attention={one} />
      ))}
    </section>
  )
}

/** Where something can be done about what concerns no stock. */
const PLACES: Partial<Record<Attention['kind'], readonly [path: string, name: string]>> = {
  limitReached: ['/limits', '한도 보기'],
  socketDown: ['/socket', '시세 연결 보기'],
  checkRed: ['/morning', '아침 점검 보기'],
  orderUnknown: ['/kis/order', '미체결 주문 보기'],
}

function One({ attention: { kind, code, since, text } }: { attention: Attention }) {
  const userId = usePathUser()
  const [path, name] = PLACES[kind] ?? (code === null ? [] : [`/stock/${code}/trade`, '종목 보기'])
  return (
    <Note
      tone="late"
      icon={kind === 'orderLate' ? 'clock' : kind === 'stockStopped' ? 'lock' : 'warn'}
      title={text}
      action={
        path !== undefined && (
          <Link className={css['go']} href={`/${userId}${path}`}>
            {name}
          </Link>
        )
      }
    >
      {stamp(since).slice(3)}부터
    </Note>
  )
}
