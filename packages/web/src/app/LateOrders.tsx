import type { Reply } from '@digger/contract'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { read } from '../api/read.ts'
import { useNow } from '../clock/now.ts'
import { lateLine } from '../features/stock/lateOrder.ts'
import { usePathUser } from '../url/user.ts'
import { Banner } from './Banner.tsx'

/** Orders that are due and do not leave, on whatever page one is. */
export function LateOrders() {
  const userId = usePathUser()
  const { data: due = NONE } = useQuery({
    // No page asks so: each reads for itself what it shows.
    ...read('stocks', { params: { userId }, query: { withSavedGain: 'false', showOnlyWatch: 'false' } }),
    select: stocksDue,
  })
  const text = useNow((now) => lateLine(due, now))
  return (
    text !== '' && (
      <Banner icon="clock">
        {text} <Link href={`/${userId}/today`}>까닭 보기</Link>
      </Banner>
    )
  )
}

type Due = Pick<Reply<'stock'>, 'name' | 'due'>
const NONE: Due[] = []
/** Of all that a stock is only this: else every price would draw the banner anew. */
const stocksDue = (stocks: Reply<'stocks'>): Due[] =>
  stocks.flatMap(({ name, due }) => (due === null ? [] : [{ name, due }]))
