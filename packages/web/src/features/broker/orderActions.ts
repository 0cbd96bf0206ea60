import { send } from '../../api/send.ts'
import { ask, row, type SheetItem } from '../../ask/ask.ts'
import { number } from '../../format/won.ts'
import type { OpenOrder as Order } from './orderColumns.tsx'
import { FOREIGN } from './OrderList.tsx'

/** What the cancel of all takes back, and what it cannot. `of`: whose orders, in words. */
export function cancelNote(list: readonly Order[], of: string): string {
  const own = list.filter((order) => !order.foreign)
  const count = (side: Order['orderType']) => number(own.filter(({ orderType }) => orderType === side).length)
  const all = `${of}의 미체결 주문(매수 ${count('BUY')}건, 매도 ${count('SELL')}건)을 취소합니다.`
  const foreign = list.length - own.length
  return foreign === 0 ? all : `${all} ${FOREIGN} ${number(foreign)}건은 그대로 남습니다. 증권사 앱에서 취소해 주세요.`
}

/** Cancels what is shown, after a question. */
export async function cancelAll(userId: string, code: string, of: string, list: readonly Order[]): Promise<void> {
  const note = cancelNote(list, of)
  if (!(await ask.confirm('미체결 주문을 모두 취소할까요?', { note, yes: '모두 취소', danger: true }))) return
  await send('cancelOrders', { params: { userId }, query: { code } })
}

interface Ways {
  userId: string
  order: Order
  navigate: (path: string) => void
  showOnly: (code: string) => void
}

/** The menu of one order; what was made elsewhere is cancelled there. */
export function orderMenu({ userId, order, navigate, showOnly }: Ways): SheetItem[] {
  const { code, orderId, foreign } = order
  const own = [
    row('취소', () => send('cancelOrder', { params: { userId, orderId }, body: order })),
    row('매매', () => navigate(`/${userId}/stock/${code}/trade`)),
  ]
  return [
    ...(foreign ? [] : own),
    row('이 종목만 보기', () => showOnly(code)),
    row('모든 종목 보기', () => showOnly('')),
  ]
}
