import type { Sent, Stock } from '@digger/contract'
import { readNumber, readWon } from '@digger/contract/typed-number'
import { withParticle } from '@digger/core'
import { send } from '../../api/send.ts'
import { ask, row, type SheetItem } from '../../ask/ask.ts'
import { number, won } from '../../format/won.ts'
import { pathUserOf } from '../../url/user.ts'
import { sentText } from './sentText.ts'

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
  return [
    trade,
    row('미체결 주문', () => navigate(`${base}/kis/order?code=${stock.code}`)),
    row('체결 내역', () => navigate(`${base}/kis/ordered?code=${stock.code}`)),
    row('주문 취소', then(cancelOrders)),
    row('매도', then(sell)),
    row('지정가 매도', then(sellAtPrice)),
    row('시장가 매도', then(sellAtMarket), true),
    row('삭제', then(remove), true),
    row('종목 수정', () => edit(stock)),
  ]
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

async function sellAtPrice(stock: Stock): Promise<boolean> {
  const texts = await ask.form(`${stock.name} 지정가 매도`, [
    { label: '매도가', type: 'number', unit: '원', initial: stock.price === null ? '' : number(stock.price) },
    { label: '나눌 개수', step: 1, initial: '1' },
  ])
  if (texts === null) return false
  const [price = '', count = ''] = texts
  const [sellPrice, sellCount] = [readWon(price), readNumber(count)]
  if (!sellPrice || !sellCount) {
    await ask.alert('매도가와 나눌 개수를 숫자로 넣어 주세요.')
    return false
  }
  const question = `${stock.name} 전량을 ${won(sellPrice)}에 매도할까요?`
  const note = `보유 ${stock.remainCount}주를 ${sellCount}번에 나누어 지정가로 냅니다.`
  if (!(await ask.confirm(question, { note, yes: '매도', danger: true }))) return false
  return sent(await send('sellStockAtPrice', { ...place(stock), query: { sellPrice, sellCount } }))
}

async function sellAtMarket(stock: Stock): Promise<boolean> {
  const question = `${stock.name} 전량을 시장가로 매도할까요?`
  const note = `보유 ${stock.remainCount}주를 지금 바로 팝니다. 되돌릴 수 없습니다.`
  if (!(await ask.confirm(question, { note, yes: '시장가 매도', danger: true }))) return false
  return sent(await send('sellStockAtMarket', { ...place(stock), query: {} }))
}

async function remove(stock: Stock): Promise<boolean> {
  const note = `${withParticle(stock.name, '을')} 목록에서 지웁니다. 보유 주식이나 주문이 남아 있으면 지워지지 않습니다.`
  if (!(await ask.confirm('delete???', { note, yes: '삭제', danger: true }))) return false
  return done(await send('deleteStock', place(stock)), `${stock.name} 종목을 목록에서 지웠습니다.`)
}
