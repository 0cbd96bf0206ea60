import type { Sent, Stock } from '@digger/contract'
import { withParticle } from '@digger/core'
import { send } from '../../api/send.ts'
import { ask, row, type SheetItem } from '../../ask/ask.ts'
import { number, won } from '../../format/won.ts'
import { pathUserOf } from '../../url/user.ts'
import { openSale, prefetchSellSheet } from './sale/openSale.ts'
import { sentText } from './sale/sentText.ts'
import { averageTargetOf } from './target.ts'

interface Tools {
  admin: boolean
  /** Address of the page that shows the menu. */
  path: string
  navigate: (path: string) => void
  edit: (stock: Stock) => void
  /** Reads again what no event brings. */
  refresh: (stock: Stock, isDeleted: boolean) => void
}

/** The menu of a card: only the trade screen, and for administrators everything else too. */
export function stockMenu(stock: Stock, { admin, path, navigate, edit, refresh }: Tools): SheetItem[] {
  const base = `/${linkUserOf(path, stock.userId)}`
  const then = (work: (stock: Stock) => Promise<boolean>) => () =>
    // Also after a refusal: of a sale in several orders some may have been placed.
    void work(stock).then((done) => refresh(stock, done && work === remove))
  const trade = row('매매', () => navigate(`${base}/stock/${stock.code}/trade`))
  if (!admin) return [trade]
  prefetchSellSheet()
  const ordersHref = `${base}/kis/order?code=${stock.code}`
  const sellBy = (how: 'price' | 'market') => () =>
    void openSale({ stock, how, ordersHref }, () => refresh(stock, false))
  return [
    trade,
    row('미체결 주문', () => navigate(ordersHref)),
    row('체결 내역', () => navigate(`${base}/kis/ordered?code=${stock.code}`)),
    row('주문 취소', then(cancelOrders)),
    row('매도', then(sell), false, targetNote(stock)),
    row('지정가 매도', sellBy('price')),
    row('시장가 매도', sellBy('market'), true),
    row('삭제', then(remove), true),
    row('종목 수정', () => edit(stock)),
  ]
}

/** What the plain sale does: it is not asked about, and is no sale of now. */
export function targetNote(stock: Stock): string {
  if (stock.remainCount === 0) return '보유한 주식이 없습니다'
  if (stock.autoSellWithAvgPrice) {
    const target = averageTargetOf(stock, stock)
    return target === null ? '목표가에 걸기' : `목표가 ${won(target)}에 걸기`
  }
  const { nextSellPrice } = stock
  return nextSellPrice === null ? '매매마다 목표가에 걸기' : `목표가 ${won(nextSellPrice)}부터 매매마다 걸기`
}

/** Links keep the current user; from a page about all users they lead to the stock's own. */
export const linkUserOf = (path: string, owner: string): string =>
  path.split('/')[2] === 'admin' ? owner : pathUserOf(path)

const place = ({ userId, code }: Stock) => ({ params: { userId, code } })

async function sent(reply: Sent | null): Promise<boolean> {
  if (reply) await ask.alert('done', sentText(reply))
  return reply !== null
}

async function done(reply: object | null, text: string): Promise<boolean> {
  if (reply) await ask.alert('done', text)
  return reply !== null
}

const cancelOrders = async ({ userId, code }: Stock) =>
  done(await send('cancelOrders', { params: { userId }, query: { code } }), '이 종목의 주문을 취소했습니다.')

const sell = async (stock: Stock) => sent(await send('sellStock', place(stock)))

/** What keeps the stock from being deleted, or would. */
const heldText = ({ remainCount, remainAmount }: Stock): string =>
  remainCount > 0
    ? `${number(remainCount)}주(산 값 ${won(remainAmount)})를 들고 있어 먼저 팔아야 지워집니다.`
    : '보유 주식은 없습니다. 주문이 남아 있으면 지워지지 않습니다.'

async function remove(stock: Stock): Promise<boolean> {
  const note = `${withParticle(stock.name, '을')} 목록에서 지웁니다. ${heldText(stock)}`
  if (!(await ask.confirm('delete???', { note, yes: '삭제', danger: true }))) return false
  return done(await send('deleteStock', place(stock)), `${stock.name} 종목을 목록에서 지웠습니다.`)
}
