import type { Sent, Stock, Trade } from '@digger/contract'
import { readNumber, readWon } from '@digger/contract/typed-number'
import { send } from '../../../api/send.ts'
import { ask, row, type SheetItem } from '../../../ask/ask.ts'
import { won } from '../../../format/won.ts'
import { sentText } from '../sentText.ts'

type Place = { userId: string; code: string }

/** The orders and trades that came of it arrive as events. */
const finished = async (reply: object | null, title: 'done' | 'clear', text: string) => {
  if (reply) await ask.alert(title, text)
}

const sent = async (reply: Sent | null) => {
  if (reply) await ask.alert('done', sentText(reply))
}

/** The menu of one open trade. */
export function tradeMenu(place: Place, trade: Trade): SheetItem[] {
  const params = { ...place, tradeId: trade.id }
  const shares = `${trade.buyCount}주 (매수가 ${won(trade.buyPrice)})`
  const now = async (name: 'sellTradeAtCurrent' | 'sellTradeAtMarket', how: string) => {
    const sure = await ask.confirm(`이 매매를 ${how}로 매도할까요?`, { note: shares, yes: '매도', danger: true })
    if (sure) await sent(await send(name, { params }))
  }
  const sell = async () => sent(await send('sellTrade', { params }))
  return [
    { name: '매도', value: 'sell', func: () => void sell() },
    { name: '매도 (현재가)', value: 'current', func: () => void now('sellTradeAtCurrent', '현재가') },
    { name: '매도 (시장가)', value: 'market', danger: true, func: () => void now('sellTradeAtMarket', '시장가') },
  ]
}

/** What only administrators find in the trade screen's menu. */
export function adminTradeMenu(place: Place, view: AdminView): SheetItem[] {
  return [
    row('잔고 확인', view.check),
    row('잔고 맞춤', async () =>
      finished(await send('fixBalance', { params: place }), 'clear', '장부를 증권사 잔고에 맞췄습니다.'),
    ),
    row('주문 적용', async () =>
      finished(await send('applyOrder', { params: place }), 'done', '설정대로 주문을 다시 걸었습니다.'),
    ),
    row('가상 가격 정하기', () => simulate(view)),
    row('가상 가격 끄기', async () => view.setSimulPrice('')),
    row('시장가 매수', () => marketBuy(place), true),
  ]
}

interface AdminView {
  stock: Stock | undefined
  check: () => Promise<void>
  setSimulPrice: (price: string) => void
}

async function simulate({ stock, setSimulPrice }: AdminView): Promise<void> {
  const initial = stock?.price ? String(stock.price) : ''
  const text = await ask.prompt(
    '가상 가격',
    { label: '가격', type: 'number', unit: '원', initial },
    '화면의 손익만 이 가격으로 계산합니다. 주문에는 쓰지 않습니다.',
  )
  if (text === null) return
  const price = readWon(text)
  if (price && price > 0) setSimulPrice(String(Math.round(price)))
  else await ask.alert('가격을 숫자로 넣어 주세요.')
}

async function marketBuy(place: Place): Promise<void> {
  const text = await ask.prompt(
    '시장가 매수',
    { label: '금액', type: 'number', unit: '만원' },
    '만원 단위입니다. 100을 넣으면 1,000,000원어치를 삽니다.',
  )
  if (text === null) return
  const amount = readNumber(text)
  if (!amount) return void ask.alert('금액을 만원 단위 숫자로 넣어 주세요.')
  const sure = await ask.confirm(`${won(amount * 10_000)}어치를 시장가로 살까요?`, { yes: '매수', danger: true })
  // The number goes out as typed: the server multiplies, once.
  if (sure) await sent(await send('marketBuy', { params: place, body: { amount: text } }))
}
