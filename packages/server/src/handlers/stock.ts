import { Refused } from '@digger/contract'
import { kstIso, withParticle } from '@digger/core'
import { inTime, type Accounts } from '@digger/engine'
import { mayAdd } from '@digger/identity'
import type { Given, Handlers } from '@digger/http'
import type { Services } from '../services.ts'
import { settingChanges, stockView } from '@digger/screens'
import { type MarketOrderCalls, marketOrderHandlers } from './market-order.ts'
import { countOf, sent } from './sale.ts'
import { stockOf } from './stock-of.ts'

type StockCalls =
  | 'stocks'
  | 'adminStocks'
  | 'stock'
  | 'updateStock'
  | 'deleteStock'
  | 'toggleSubscribed'
  | 'sellStock'
  | 'sellStockAtPrice'
  | 'checkBalance'
  | 'fixBalance'
  | 'applyOrder'

export function stockHandlers(services: Services): Pick<Handlers, StockCalls | MarketOrderCalls> {
  const { accounts } = services
  const order = { ...orderHandlers(services), ...marketOrderHandlers(services) }
  const list = ({ userId, query }: Given<'stocks'> | Given<'adminStocks'>) =>
    [...accounts.book(userId).stocks.values()]
      .filter((stock) => stock.priceSubscribed || !query.showOnlyWatch)
      .map((stock) => stockView(accounts, userId, stock, query))
  return {
    stocks: list,
    adminStocks: list,
    stock: ({ userId, params, query }) =>
      stockView(accounts, userId, stockOf(accounts.book(userId), params.code), query),
    updateStock: (given) => updateStock(services, given),
    async deleteStock({ userId, params: { code }, key }) {
      await accounts.ask(userId, { kind: 'deleteStock', code }, key)
      return {}
    },
    async toggleSubscribed({ userId, params: { code }, note, key }) {
      const subscribed = !stockOf(accounts.book(userId), code).priceSubscribed
      await accounts.ask(userId, { kind: 'setSubscribed', code, subscribed }, key)
      // Asked again it is not turned back, so that what is now is the answer.
      const now = stockOf(accounts.book(userId), code).priceSubscribed
      note(now ? '구독' : '구독 끔')
      return { subscribed: now }
    },
    ...order,
  }
}

type OrderCalls = Exclude<
  StockCalls,
  'stocks' | 'adminStocks' | 'stock' | 'updateStock' | 'deleteStock' | 'toggleSubscribed'
>

function orderHandlers(services: Services): Pick<Handlers, OrderCalls> {
  const { accounts, clock } = services
  const known = (userId: string, code: string) => stockOf(accounts.book(userId), code)
  return {
    async sellStock({ userId, params: { code }, key }) {
      known(userId, code)
      return sent(services, userId, { kind: 'sellStock', code }, key)
    },
    async sellStockAtPrice({ userId, params: { code }, query, note, key }) {
      known(userId, code)
      note(`${query.sellPrice}원 ${query.sellCount}건${query.qty === undefined ? '' : ` ${query.qty}주`}`)
      return sent(
        services,
        userId,
        { kind: 'sellAtPrice', code, price: query.sellPrice, slices: query.sellCount, ...countOf(query) },
        key,
      )
    },
    async checkBalance({ userId, params: { code }, note, key }) {
      known(userId, code)
      const { differences = [] } = await accounts.ask(userId, { kind: 'checkBalance', code }, key)
      note(`차이 ${differences.length}건`)
      return { checkedAt: kstIso(known(userId, code).checkedAt ?? clock.now()), differences: [...differences] }
    },
    async fixBalance({ userId, params: { code }, key }) {
      known(userId, code)
      await accounts.ask(userId, { kind: 'fixBalance', code }, key)
      return {}
    },
    async applyOrder({ userId, params: { code }, key }) {
      known(userId, code)
      await accounts.ask(userId, { kind: 'applyOrder', code }, key)
      return {}
    },
  }
}

const NOT_ALLOWED = '종목을 추가할 권한이 없습니다. 관리자에게 추가하거나 허용해 달라고 해 주세요.'

/** Settings only; whatever else the client sends along is not looked at. */
async function updateStock(
  { accounts, database, wall }: Services,
  { userId, caller, params, body, note, key }: Given<'updateStock'>,
) {
  const { code } = params
  const before = accounts.book(userId).stocks.get(code)
  const { version = null, ...settings } = body
  if (!before && !(await mayAdd(database.db, caller))) throw new Refused('FORBIDDEN', `${code} ${NOT_ALLOWED}`)
  const listing = before ? null : await inTime(wall, findListing(accounts, userId, code))
  await accounts.ask(userId, { kind: 'updateStock', code, version, settings, listing }, key)
  note(before ? settingChanges(before.settings, settings) : '추가')
  const after = accounts.book(userId).stocks.get(code)
  if (!after) throw new Refused('CONFLICT', `저장하는 동안 ${code} 종목이 지워졌습니다. 필요하면 다시 추가해 주세요.`)
  return stockView(accounts, userId, after, { withSavedGain: true })
}

async function findListing(accounts: Accounts, userId: string, code: string) {
  const info = await accounts.kis(userId).stockInfo(code)
  if (!info)
    throw new Refused('NOT_FOUND', `${withParticle(code, '은')} 증권사가 모르는 종목코드입니다. 코드를 확인해 주세요.`)
  const { kind, market, nxt, name } = info
  return { issue: { code, kind, market, nxt }, name }
}
