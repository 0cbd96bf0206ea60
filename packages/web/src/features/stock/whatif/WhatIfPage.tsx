import { useQuery } from '@tanstack/react-query'
import { read } from '../../../api/read.ts'
import { Empty, QueryView } from '../../../components/QueryView.tsx'
import { Page } from '../../../components/Page.tsx'
import { Segments } from '../../../components/Segments.tsx'
import { useTexts } from '../../../url/query.ts'
import { usePathUser } from '../../../url/user.ts'
import { useHome } from '../../../viewer/viewer.ts'
import { PastStocks } from './PastStocks.tsx'
import css from './WhatIf.module.css'
import { PAST_RANGES, pastRangeOf } from './whatIfRanges.ts'

/** Minutes of many stocks are too much to fetch for one look. */
const RANGES = PAST_RANGES.filter(([range]) => range !== 'minute')

/** All stocks of an account, traded again by their settings as they are. */
export function WhatIfPage() {
  const userId = usePathUser()
  const home = useHome()
  const [text, setTexts] = useTexts()
  const asked = pastRangeOf(text('past'))
  const range = asked === 'minute' ? 'three' : asked
  const query = useQuery(
    read('stocks', { params: { userId }, query: { withSavedGain: 'false', showOnlyWatch: 'false' } }),
  )
  const empty = (
    <Empty title="해 볼 종목이 없습니다">
      <p>종목이 목록에 있으면 그 설정으로 지난 시세를 다시 매매해 봅니다.</p>
    </Empty>
  )
  return (
    <Page title="What-if" name="지난 시세로 보기" homeHref={home} wide>
      <div className={css['ranges']}>
        <Segments
          label="기간"
          look="chips"
          options={RANGES}
          value={range}
          onChange={(next) => setTexts({ past: next === 'three' ? '' : next })}
        />
      </div>
      <QueryView query={query} shape="summary" rows={6} empty={{ when: ({ length }) => length === 0, show: empty }}>
        {(stocks) => <PastStocks stocks={stocks} range={range} />}
      </QueryView>
    </Page>
  )
}
