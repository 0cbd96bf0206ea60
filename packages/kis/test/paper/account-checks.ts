import type { KisExecution, KisExecutions } from '../../src/index.ts'
import { kstDay } from '../../src/kst.ts'
import { fact, hasEachOnce, isAmount, isWhole, pagesOf, type PaperCheck, withReplies } from './check.ts'
import { daysBefore } from './market-checks.ts'

const pages = (count: number): string => `${count} ${count === 1 ? 'page' : 'pages'}`

const balance: PaperCheck = {
  name: 'balance',
  async run({ rest }) {
    const { value, replies } = await withReplies(() => rest.balance())
    const { holdings, unreadable = [], depositAmount, stockValueAmount, leftAt } = value
    fact(unreadable.length === 0, `rows that cannot be read: ${unreadable.map(({ what }) => what).join('; ')}`)
    fact(isWhole(depositAmount, stockValueAmount, leftAt), 'cash or value is not whole won')
    fact(hasEachOnce(holdings.map(({ code }) => code)), 'a stock is held twice')
    for (const { code, name, count, sellableCount, averagePrice, buyAmount, price } of holdings) {
      fact(/^[0-9A-Z]{6,7}$/.test(code) && name !== '', 'a holding has no code or no name')
      fact(count > 0 && isAmount(count, sellableCount, buyAmount, price), `${code}: not whole shares and won`)
      fact(sellableCount <= count, `${code}: more can be sold than is held`)
      fact(averagePrice > 0, `${code}: has no average price`)
    }
    const [first] = holdings
    if (first !== undefined)
      fact(
        (await rest.sellable(first.code)) === first.sellableCount,
        `${first.code}: other shares can be sold than the list says`,
      )
    return `${holdings.length} stocks on ${pages(pagesOf(replies))}, each with whole shares`
  },
}

const buyable: PaperCheck = {
  name: 'what can be bought',
  async run({ rest, code }) {
    const { count, price, amount, cash } = await rest.buyable(code)
    fact(isAmount(count, price, amount), 'shares or won are not whole')
    fact(isWhole(cash), 'cash is not whole won')
    fact(count * price <= amount, 'the shares cost more than may be ordered for')
    return price === 0 ? 'whole won; it says no price of its own' : 'whole won, at the price it says'
  },
}

/** Each row of a list of orders as whoever books fills reads it. */
function expectOrders(list: KisExecutions, from: string, to: string): void {
  fact(
    (list.unreadable ?? []).length === 0,
    `rows that cannot be read: ${list.unreadable?.map(({ what }) => what).join('; ')}`,
  )
  fact(hasEachOnce(list.map(({ day, orgno, odno }) => `${day} ${orgno} ${odno}`)), 'an order is there twice')
  for (const row of list) expectOrder(row, from, to)
  const times = list.flatMap(({ orderedAt }) => (orderedAt === null ? [] : [orderedAt]))
  fact(
    times.every((time, at) => at === 0 || (times[at - 1] ?? 0) <= time),
    'orders are not oldest first',
  )
}

export function expectOrder(row: KisExecution, from: string, to: string): void {
  const { day, odno, originalOdno, count, price, filledCount, filledAmount, remainingCount, rejectedCount } = row
  const name = `order ${odno} of ${day}`
  fact(/^\d{10}$/.test(odno) && /[1-9]/.test(odno), `${name}: its number has not ten digits`)
  fact(originalOdno === null || /^\d{10}$/.test(originalOdno), `${name}: the number it changes has not ten digits`)
  fact(row.orgno !== '', `${name}: has no branch, without which it cannot be cancelled`)
  fact(from <= day && day <= to, `${name}: was not asked for`)
  fact(row.venue === 'KRX', `${name}: is on ${row.venue}, paper has KRX alone`)
  fact(
    isAmount(count, price, filledCount, filledAmount, remainingCount, rejectedCount),
    `${name}: not whole shares and won`,
  )
  fact(filledCount + remainingCount + rejectedCount <= count, `${name}: fills and rest are more than was ordered`)
  fact((filledCount === 0) === (filledAmount === 0), `${name}: shares without an amount, or an amount without shares`)
}

const ordersOfToday: PaperCheck = {
  name: 'orders and fills of today, and those still open',
  async run({ rest, now }) {
    const today = kstDay(now())
    const { value: list, replies } = await withReplies(() => rest.executions({ from: today, to: today }))
    expectOrders(list, today, today)
    const numbers = new Set(list.map(({ odno }) => odno))
    const open = await rest.openOrders()
    for (const row of open) {
      expectOrder(row, today, today)
      fact(row.remainingCount > 0, `order ${row.odno} is open and has nothing left`)
      fact(numbers.has(row.odno), `order ${row.odno} is open and not in the list of all`)
    }
    return `${list.length} orders over ${pages(pagesOf(replies))}, ${open.length} open`
  },
}

const ordersOfDays: PaperCheck = {
  name: 'orders and fills of ten days',
  async run({ rest, now }) {
    const [from, to] = [daysBefore(now(), 9), kstDay(now())]
    const ofToday = await rest.executions({ from: to, to })
    const { value: list, replies } = await withReplies(() => rest.executions({ from, to }))
    expectOrders(list, from, to)
    const keys = new Set(list.map(({ day, odno }) => `${day} ${odno}`))
    fact(
      ofToday.every(({ day, odno }) => keys.has(`${day} ${odno}`)),
      'an order of today is not in the list of ten days',
    )
    return `${list.length} orders of ${new Set(list.map(({ day }) => day)).size} days, ${pages(pagesOf(replies))}`
  },
}

export const ACCOUNT_CHECKS: readonly PaperCheck[] = [balance, buyable, ordersOfToday, ordersOfDays]
