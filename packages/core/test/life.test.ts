import { beforeAll, expect, test } from 'vitest'
import { isLive, type Account } from '../src/index.ts'
import { checkLife } from './simulate/life.ts'
import { heal } from './simulate/settle.ts'
import { Simulation } from './simulate/simulation.ts'

type View = Account['view']

let simulation: Simulation
let healed: Account
let fellAt: number

/** A run that has come to rest. */
beforeAll(() => {
  simulation = new Simulation(3, false)
  simulation.playDay()
  fellAt = heal(simulation)
  healed = simulation.shell.account
})

/** As `checkLife` finds an account whose view is otherwise. */
const withView = (change: (view: View) => Partial<View>) => () => {
  simulation.shell.account = { ...healed, view: { ...healed.view, ...change(healed.view) } }
  return checkLife(simulation, fellAt)
}
const long = (): number => simulation.shell.now - 60_000

test('an account that has come to rest lives, and has made orders', () => {
  expect(withView(() => ({}))()).toBeGreaterThan(0)
})

test.each<[string, RegExp, (view: View) => Partial<View>]>([
  ['not armed', /not armed/, ({ connection }) => ({ connection: { ...connection, armed: false } })],
  [
    'a reading that is out',
    /reading never comes back/,
    ({ readSchedule }) => ({ readSchedule: { ...readSchedule, running: true, startedAt: long() } }),
  ],
  [
    'a question that is out',
    /never answered/,
    ({ cash, stocks }) => ({
      cash: { ...cash, askedAt: long() },
      stocks: { ...stocks, dueSince: new Map([['buy 005930', simulation.shell.now]]) },
    }),
  ],
  [
    'fills that are not booked',
    /never booked: 7/,
    ({ orders }) => ({ orders: { ...orders, noticedFills: new Map([['7', 1]]), noticedAt: long() } }),
  ],
  [
    'an order held up by ourselves',
    /buy 005930 is due/,
    ({ stocks }) => ({ stocks: { ...stocks, dueSince: new Map([['buy 005930', long()]]) } }),
  ],
])('%s is no life', (_name, text, change) => expect(withView(change)).toThrow(text))

test('an order that a person wants gone, and that is still there, is no life', () => {
  const found = [...healed.book.orders.values()].find(({ status }) => isLive(status))
  if (found === undefined) throw new Error('an order rests')
  const orders = new Map(healed.book.orders).set(found.id, { ...found, cancelWanted: true })
  simulation.shell.account = { ...healed, book: { ...healed.book, orders } }
  expect(() => checkLife(simulation, fellAt)).toThrow('wants gone')
})

test('a stock whose price is where it buys, and that is not bought, is no life', () => {
  const found = [...healed.book.stocks.values()].find(({ nextBuyPrice }) => nextBuyPrice !== null)
  if (found?.nextBuyPrice == null) throw new Error('a stock waits for its next buy')
  const { code } = found.issue
  // One share, with all the room there is and no answer about cash yet: only the halt of the stock is in the way.
  const settings = { ...found.settings, buyUnitPrice: 1, maxBuyAmount: 1_000_000_000 }
  const stocks = new Map(healed.book.stocks).set(code, { ...found, settings })
  const view = { ...healed.view, cash: { ...healed.view.cash, answer: null } }
  simulation.shell.account = { book: { ...healed.book, stocks }, view }
  const quote = { price: found.nextBuyPrice, at: simulation.shell.now, live: true, halted: true, band: null }
  simulation.shell.quotes.set(code, quote)
  expect(() => checkLife(simulation, simulation.shell.now + 1)).toThrow(`${code} is due`)
})
