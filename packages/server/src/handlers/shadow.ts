import { realStartView, ShadowOrders, shadowOrderView, shadowView } from '@digger/shadow'
import type { Handlers } from '@digger/http'
import type { Services } from '../services.ts'
import { todayOrRange } from './account.ts'
import { needProof } from './prove.ts'
import { stockOf } from './stock-of.ts'

type ShadowCalls = 'shadow' | 'realStart' | 'setShadow' | 'shadowOrders'

/** What is only rehearsed: beside the real orders and lots, and never among them. */
export function shadowHandlers(services: Services): Pick<Handlers, ShadowCalls> {
  const { accounts, database, clock, shadows } = services
  const wouldBe = new ShadowOrders(database.db)
  const view = (userId: string) =>
    shadowView(userId, accounts.book(userId), { shadows, priceOf: (code) => accounts.lastPrice(code)?.price ?? null })
  return {
    shadow: ({ userId }) => view(userId),
    realStart({ userId, params: { code } }) {
      const real = accounts.book(userId)
      return realStartView(userId, stockOf(real, code).issue.code, { real, shadows })
    },
    async setShadow({ userId, caller, body: { code, shadow }, note, key }) {
      // From then on money moves.
      if (!shadow) await needProof(services, caller)
      note(`${code ?? '모든 종목'} ${shadow ? '그림자' : '실제'}`)
      // Of a stock that is in it already: its rehearsal goes on, if its own limits have stopped it.
      const isResumed = shadow && code !== null && (await shadows?.resume(userId, code)) === true
      if (!isResumed) await accounts.ask(userId, { kind: 'setShadow', code, shadow }, key)
      return view(userId)
    },
    async shadowOrders({ userId, query }) {
      const range = { ...todayOrRange(query, clock.now()), code: query.code || null }
      const { stocks } = accounts.book(userId)
      const orders = await wouldBe.of(userId, range)
      return orders.map((order) => shadowOrderView(order, stocks.get(order.code)?.name ?? order.code))
    },
  }
}
