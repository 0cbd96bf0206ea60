import { isLive, kstDay, kstIso } from '@digger/core'
import { inTime } from '@digger/engine'
import {
  brokerHoldings,
  lastImportedDay,
  orderView,
  orderedRows,
  orderedView,
  ourNumber,
  strangerView,
} from '@digger/screens'
import type { Given, Handlers } from '@digger/http'
import type { Services } from '../services.ts'
import { todayOrRange } from './account.ts'

type OrderCalls =
  | 'ordered'
  | 'adminOrdered'
  | 'importOrdered'
  | 'orders'
  | 'adminOrders'
  | 'brokerBalance'
  | 'adminBrokerBalance'
  | 'cancelOrders'
  | 'cancelOrder'

export function orderHandlers(services: Services): Pick<Handlers, OrderCalls> {
  const { accounts, database, clock } = services
  const ordered = async ({ userId, query }: Given<'ordered'> | Given<'adminOrdered'>) => {
    const { from, to } = todayOrRange(query, clock.now())
    const rows = await orderedRows(database.db, userId, { from, to, code: query.code || null })
    return rows.map(orderedView)
  }
  const orders = (given: Given<'orders'> | Given<'adminOrders'>) => liveOrders(services, given)
  const brokerBalance = ({ userId }: { readonly userId: string }) => readBalance(services, userId)
  return {
    ordered,
    adminOrdered: ordered,
    importOrdered: (given) => importOrdered(services, given),
    orders,
    adminOrders: orders,
    brokerBalance,
    adminBrokerBalance: brokerBalance,
    async cancelOrders({ userId, query, note, key }) {
      note(query.code || '전체')
      await accounts.ask(userId, { kind: 'cancelOrders', code: query.code || null }, key)
      return {}
    },
    async cancelOrder({ userId, params: { orderId }, note, key }) {
      const id = ourNumber(orderId)
      if (id !== null) note('증권사 번호가 나오는 대로 취소')
      await accounts.ask(
        userId,
        id === null ? { kind: 'cancelOrder', odno: orderId } : { kind: 'cancelOrder', id },
        key,
      )
      return {}
    },
  }
}

/** Live orders, newest first; after them those at the broker that are not ours. */
function liveOrders({ accounts }: Services, { userId, query }: Given<'orders'> | Given<'adminOrders'>) {
  const { orders, stocks } = accounts.book(userId)
  const ours = [...orders.values()]
    .filter(({ status }) => isLive(status))
    .map((order) => orderView(order, stocks.get(order.code)?.name ?? order.code))
    .toReversed()
  const strangers = accounts
    .strangers(userId)
    .map((stranger) => strangerView(stranger, stocks.get(stranger.code)?.name ?? null))
  return [...ours, ...strangers]
    .filter(({ code }) => !query.code || code === query.code)
    .filter(({ orderType }) => !query.orderType || orderType === query.orderType)
}

/** Side effects: the broker is called where its last reading is old, and today's money entry written. */
async function readBalance({ accounts, balances, wall }: Services, userId: string) {
  const balance = await inTime(wall, balances.read(userId))
  const orderable = accounts.orderable(userId)
  return {
    availableAmount: balance.depositAmount,
    orderable: orderable && { amount: orderable.amount, at: kstIso(orderable.at) },
    list: brokerHoldings(balance, (code) => accounts.book(userId).stocks.get(code)?.name ?? null),
  }
}

/** `fromLastOrder`: from the day of the last imported order of the code on, whatever the range says. */
async function importOrdered(services: Services, { userId, query, note }: Given<'importOrdered'>) {
  const { accounts, database, clock, wall, imports } = services
  const { code } = query
  const last = query.fromLastOrder ? await lastImportedDay(database.db, userId, code) : null
  const { from, to } = last ? { from: last, to: kstDay(clock.now()) } : todayOrRange(query, clock.now())
  const executions = await inTime(wall, accounts.kis(userId).executions({ from, to, code }))
  const counts = await imports.take(userId, executions)
  note(`${from}–${to}, 새로 ${counts.imported}건`)
  return counts
}
