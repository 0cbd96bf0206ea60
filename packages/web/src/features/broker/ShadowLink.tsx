import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { read } from '../../api/read.ts'
import { usePathUser } from '../../url/user.ts'
import css from './Broker.module.css'

/** Where some stock is only rehearsed, its orders are not among the real ones: the way to them. */
export function ShadowLink() {
  const userId = usePathUser()
  const query = { withSavedGain: 'true', showOnlyWatch: 'false' } as const
  const shadowed = useQuery({
    ...read('stocks', { params: { userId }, query }),
    select: (stocks) => stocks.filter(({ shadow }) => shadow).length,
  })
  if (!shadowed.data) return null
  return (
    <p className={css['range']}>
      <Link href={`/${userId}/shadow`}>그림자 종목 {shadowed.data}개의 ‘보냈을 주문’ 보기</Link>
    </p>
  )
}
