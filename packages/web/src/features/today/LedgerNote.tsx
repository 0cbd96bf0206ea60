import type { Today } from '@digger/contract'
import { kstIso } from '@digger/core'
import { Link } from 'wouter'
import { Note } from '../../components/Note.tsx'
import { number } from '../../format/won.ts'
import { usePathUser } from '../../url/user.ts'
import css from './AttentionList.module.css'

/** Whether Digger's book and the broker's agree, and when that was looked at. */
export function LedgerNote({ compared: { at, stocks, differing } }: Pick<Today, 'compared'>) {
  const userId = usePathUser()
  if (at === null)
    return (
      <Note tone="plain" icon="clock" title="아직 증권사 장부와 맞춰 보지 않았습니다.">
        증권사에 이어지면 곧 맞춰 봅니다.
      </Note>
    )
  const time = kstIso(Date.parse(at)).slice(11, 19)
  const [first] = differing
  if (first === undefined)
    return (
      <Note tone="ok" icon="check" title="증권사 장부와 같습니다.">
        {time}에 {number(stocks)}종목을 맞춰 보았습니다.
      </Note>
    )
  return (
    <Note
      tone="late"
      icon="warn"
      title={`${number(differing.length)}종목이 증권사 장부와 다릅니다.`}
      action={
        <Link className={css['go']} href={`/${userId}/stock/${first}/trade`}>
          다른 종목 보기
        </Link>
      }
    >
      {time}에 맞춰 보았습니다. 그 종목은 다시 맞을 때까지 사지 않습니다.
    </Note>
  )
}
