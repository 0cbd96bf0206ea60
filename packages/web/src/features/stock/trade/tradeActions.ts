import type { Sent, Stock, Trade } from '@digger/contract'
import { readWon } from '@digger/contract/typed-number'
import { call } from '../../../api/call.ts'
import { send } from '../../../api/send.ts'
import { ask, row, type SheetItem } from '../../../ask/ask.ts'
import { won } from '../../../format/won.ts'
import { openBuy } from '../buy/openBuy.ts'
import { runWork } from '../../../work/work.ts'
import { openSale, prefetchSellSheet } from '../sale/openSale.ts'
import { sentText } from '../sale/sentText.ts'
import { fixKeyOf, type Place } from './BalanceCheck.tsx'

/** The orders and trades that came of it arrive as events. */
const finished = async (reply: object | null, title: 'done' | 'clear', text: string) => {
  if (reply) await ask.alert(title, text)
}

const sent = async (reply: Sent | null) => {
  if (reply) await ask.alert('done', sentText(reply))
}

/** The menu of one open trade. */
export function tradeMenu(place: Place, stock: Stock, trade: Trade): SheetItem[] {
  prefetchSellSheet()
  const sell = async () => sent(await send('sellTrade', { params: { ...place, tradeId: trade.id } }))
  const now = (how: 'current' | 'market') => () =>
    void openSale({
      stock: { ...stock, userId: place.userId },
      how,
      trade,
      ordersHref: `/${place.userId}/kis/order?code=${place.code}`,
    })
  const { targetPrice } = trade
  return [
    row('매도', sell, false, targetPrice === null ? '목표가에 걸기' : `목표가 ${won(targetPrice)}에 걸기`),
    row('매도 (현재가)', now('current')),
    row('매도 (시장가)', now('market'), true),
  ]
}

/** What only administrators find in the trade screen's menu. */
export function adminTradeMenu(place: Place, view: AdminView): SheetItem[] {
  return [
    row('잔고 확인', view.check),
    row('잔고 맞춤', () => fixBalance(place, view.name)),
    row('주문 적용', async () =>
      finished(await send('applyOrder', { params: place }), 'done', '설정대로 주문을 다시 걸었습니다.'),
    ),
    row('가상 가격 정하기', () => simulate(view)),
    row('가상 가격 끄기', async () => view.setSimulPrice('')),
    row('시장가 매수', () => buy(place, view.stock()), true),
  ]
}

const fixBalance = (place: Place, name: string) =>
  runWork({
    key: fixKeyOf(place),
    name: `${name} 잔고 맞춤`,
    work: async () => {
      await call('fixBalance', { params: place })
      return { ok: true, title: 'clear', text: `${name}: 장부를 증권사 잔고에 맞췄습니다.` }
    },
  })

interface AdminView {
  /** As it is when something of the menu is chosen. */
  stock: () => Stock | undefined
  /** Whose stock and its name. */
  name: string
  check: () => Promise<void>
  setSimulPrice: (price: string) => void
}

async function simulate({ stock, setSimulPrice }: AdminView): Promise<void> {
  const initial = String(stock()?.price ?? '')
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

async function buy(place: Place, stock: Stock | undefined): Promise<void> {
  if (stock === undefined) return void ask.alert('종목을 아직 읽지 못했습니다. 잠시 뒤 다시 해 주세요.')
  await openBuy({ ...stock, userId: place.userId })
}
