import type { StockHistory } from '@digger/contract'
import { useQuery } from '@tanstack/react-query'
import { read } from '../../../api/read.ts'
import { Empty, QueryView } from '../../../components/QueryView.tsx'
import { Segments } from '../../../components/Segments.tsx'
import { showDay } from '../../../format/day.ts'
import { useTexts } from '../../../url/query.ts'
import { usePathUser } from '../../../url/user.ts'
import { askedAgain, keptFor } from './historyRead.ts'
import { Rehearse } from './Rehearse.tsx'
import css from './WhatIf.module.css'
import type { WhatIfProps } from './whatIfProps.ts'
import { PAST_RANGES, pastRangeOf, unitOf } from './whatIfRanges.ts'

/** The past traded again by the settings as they are typed. */
export function WhatIf(props: WhatIfProps) {
  const userId = usePathUser()
  const [text, setTexts] = useTexts()
  const range = pastRangeOf(text('past'))
  const { code } = props.stock
  const query = useQuery({
    ...read('stockHistory', { params: { userId, code }, query: { unit: unitOf(range) } }),
    staleTime: keptFor,
    refetchInterval: askedAgain,
  })
  const change = (next: typeof range) => setTexts({ past: next === 'three' ? '' : next })
  return (
    <div className={css['whatIf']}>
      <Segments label="기간" look="chips" options={PAST_RANGES} value={range} onChange={change} />
      <QueryView
        query={query}
        heights={[120, 420]}
        empty={{ when: ({ days }) => days.length === 0, show: query.data && <NoHistory history={query.data} /> }}
      >
        {(history) => (
          <>
            <ProgressNote history={history} />
            <Rehearse {...props} history={history} range={range} />
          </>
        )}
      </QueryView>
    </div>
  )
}

const NoHistory = ({ history: { progress } }: { history: StockHistory }) => (
  <Empty title="지난 시세를 아직 읽지 못했습니다">
    <p>{progress.note ?? '증권사에서 차례로 읽어 옵니다. 다 읽으면 여기에서 해 볼 수 있습니다.'}</p>
  </Empty>
)

/** While more is being read: how far it is. */
function ProgressNote({ history: { progress, isAdjusted } }: { history: StockHistory }) {
  const { from, isComplete, note } = progress
  return (
    <>
      {!isComplete && from !== null && (
        <output className={css['note']}>
          지난 시세를 모으는 중입니다. 지금은 {showDay(from)}부터 있습니다. {note}
        </output>
      )}
      {!isAdjusted && (
        <p className={css['note']}>
          이 시세는 분할과 합병을 반영하지 않은 값입니다. 그런 날이 있으면 결과가 맞지 않습니다.
        </p>
      )}
    </>
  )
}
