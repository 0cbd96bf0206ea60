import { useLocation } from 'wouter'
import { ask } from '../../ask/ask.ts'
import { usePathUser } from '../../url/user.ts'
import { STOCK_CODE, stockCodeOf } from './stockCode.ts'

/** Asks for a code and leads to where its settings are made. */
export function useAddStock(): () => Promise<void> {
  const userId = usePathUser()
  const [, navigate] = useLocation()
  return async () => {
    const code = await ask.prompt('종목 추가', STOCK_CODE)
    if (code) navigate(`/${userId}/stock/${encodeURIComponent(stockCodeOf(code))}/trade`)
  }
}
