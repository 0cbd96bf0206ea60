import { setTimeout as delay } from 'node:timers/promises'
import type { Person } from './person.ts'

/** One kind of thing people do. */
export interface Press {
  /** How often it is chosen, against the others. */
  readonly weight: number
  /** `draw`: 0 ≤ x < 1, the press' own. */
  act(person: Person, code: string, draw: number): Promise<unknown>
}

/** What is in the shadow, and the switch. */
export const SHADOW = '/api/user/shadow'

/** One of the person's stocks that are in the shadow; null: none is. */
async function shadowedOf(person: Person, draw: number): Promise<string | null> {
  const codes = (await person.shadow()).flatMap(({ code, shadow }) => (shadow ? code : []))
  return codes[Math.floor(draw * codes.length)] ?? null
}

const setStop = (person: Person, level: string, stop: string, code?: string) =>
  person.ask('POST', '/api/user/stop', { level, stop, ...(code === undefined ? {} : { code }) })

/** Says that nobody else trades the account. */
export const OTHER_SERVER = '/api/user/other-server/dismiss'
const ADMIN = '/api/admin/8017'
/** Whoever may not is told so; person 0 is an administrator. */
const BULK = ['order/cancel', 'order/sell', 'balance/check', 'balance/fix', 'login'] as const
const PAGES = [
  'balance',
  'balance/gain',
  'money',
  'kis/ordered',
  'kis/order',
  'kis/balance',
  'socket',
  'stop',
  'limits',
  'audit',
  'user',
] as const
const WON_PER_UNIT = 10_000
/** A person waits for 20 seconds. */
const NEW_SERVER_TRIES = 80
const NEW_SERVER_TRY_MS = 250

/** Everything people do in a run. A new kind is a new entry. */
export const PRESSES = {
  look: { weight: 3, act: (person) => person.stocks() },
  haltStock: {
    weight: 2,
    act: (person, code, draw) => setStop(person, 'stock', draw < 0.6 ? 'halt' : 'reduce', code),
  },
  goOnWithStock: { weight: 2, act: (person, code) => setStop(person, 'stock', 'active', code) },
  haltAll: { weight: 2, act: (person, _, draw) => setStop(person, 'user', draw < 0.7 ? 'halt' : 'reduce') },
  /** Whoever is sent to another server stops everything there as soon as it answers. */
  haltNewServer: {
    weight: 1,
    act: async (person) => {
      const { server } = person
      for (let tries = 0; tries < NEW_SERVER_TRIES; tries++) {
        if (person.server !== server && (await setStop(person, 'user', 'halt')).status === 200) return
        await delay(NEW_SERVER_TRY_MS)
      }
    },
  },
  goOn: { weight: 3, act: (person) => setStop(person, 'user', 'active') },
  /** They know of no other server: what looks like one is an order that the network delivered twice. */
  goOnDespiteOther: { weight: 2, act: (person) => person.ask('POST', OTHER_SERVER) },
  chooseVenues: {
    weight: 1,
    act: (person, _, draw) => {
      const sor = draw < 0.7
      return person.ask('POST', '/api/user/venues', {
        sor,
        preMarket: sor && draw < 0.4,
        afterMarket: sor && draw < 0.5,
      })
    },
  },
  sellAtPrice: {
    weight: 2,
    act: async (person, code, draw) => {
      const stock = await person.stock(code)
      if (stock === null || stock.remainCount === 0) return
      const price = stock.nextSellPrice ?? stock.lastBuyPrice ?? 0
      await person.ask(
        'POST',
        `/api/user/stock/${code}/sell/price?sellPrice=${price}&sellCount=${1 + Math.floor(draw * 5)}`,
      )
    },
  },
  sellAtMarket: { weight: 2, act: (person, code) => person.ask('POST', `/api/user/stock/${code}/sell/market-price`) },
  sellStock: { weight: 1, act: (person, code) => person.ask('POST', `/api/user/stock/${code}/sell`) },
  sellTrade: {
    weight: 1,
    act: async (person, code, draw) => {
      const [trade] = await person.trades(code)
      if (trade === undefined) return
      const how = draw < 0.4 ? '' : draw < 0.7 ? '/current-price' : '/market-price'
      await person.ask('POST', `/api/user/stock/${code}/trade/${trade.id}/sell${how}`)
    },
  },
  cancelStock: { weight: 1, act: (person, code) => person.ask('POST', `/api/user/balance/cancel?code=${code}`) },
  cancelAll: { weight: 1, act: (person) => person.ask('POST', '/api/user/balance/cancel') },
  cancelOne: {
    weight: 2,
    act: async (person, _, draw) => {
      const orders = await person.orders()
      const order = orders[Math.floor(draw * orders.length)]
      if (order !== undefined) await person.ask('POST', `/api/user/balance/cancel/${order.orderId}`)
    },
  },
  changeSettings: {
    weight: 2,
    act: async (person, code, draw) => {
      const stock = await person.stock(code)
      if (stock === null) return
      const change =
        draw < 0.3 ? { autoBuy: !stock.autoBuy } : draw < 0.6 ? { autoSell: !stock.autoSell } : { sellPercent: 0.2 }
      await person.ask('POST', `/api/user/stock/${code}`, { ...stock, ...change })
    },
  },
  averageMode: {
    weight: 1,
    act: async (person, code) => {
      const stock = await person.stock(code)
      if (stock === null) return
      await person.ask('POST', `/api/user/stock/${code}`, {
        ...stock,
        autoSellWithAvgPrice: !stock.autoSellWithAvgPrice,
      })
    },
  },
  readPages: {
    weight: 3,
    act: async (person, code, draw) => {
      const first = Math.floor(draw * PAGES.length)
      for (const page of [...PAGES.slice(first), ...PAGES].slice(0, 4)) await person.ask('GET', `/api/user/${page}`)
      await person.ask('GET', `/api/user/stock/${code}/trade?withOldTrade=true`)
    },
  },
  marketBuy: {
    weight: 1,
    act: async (person, code, draw) => {
      const price = (await person.stock(code))?.price ?? 0
      const amount = Math.ceil((price * (1 + Math.floor(draw * 3))) / WON_PER_UNIT)
      if (amount > 0) await person.ask('POST', `/api/user/stock/${code}/order/buy`, { amount })
    },
  },
  intoShadow: { weight: 2, act: (person, code) => person.ask('POST', SHADOW, { code, shadow: true }) },
  /** As the page does it, which has read what would leave. */
  outOfShadow: {
    weight: 2,
    act: async (person, _, draw) => {
      const code = await shadowedOf(person, draw)
      if (code !== null) await person.ask('POST', SHADOW, { code, shadow: false })
    },
  },
  /** It goes into the rehearsal, and is answered with a refusal that says so. */
  orderInShadow: {
    weight: 3,
    act: async (person, _, draw) => {
      const code = await shadowedOf(person, draw)
      if (code === null) return
      const amount = Math.ceil(((await person.stock(code))?.price ?? 0) / WON_PER_UNIT)
      const path = `/api/user/stock/${code}`
      if (amount > 0) await person.ask('POST', `${path}/order/buy`, { amount })
      await person.ask('POST', draw < 0.5 ? `${path}/sell` : `${path}/sell/market-price`)
    },
  },
  applyOrder: { weight: 1, act: (person, code) => person.ask('POST', `/api/user/stock/${code}/order/apply`) },
  checkBalance: { weight: 1, act: (person, code) => person.ask('POST', `/api/user/stock/${code}/check-balance`) },
  fixBalance: { weight: 1, act: (person, code) => person.ask('POST', `/api/user/stock/${code}/fix-balance`) },
  bulk: {
    weight: 1,
    act: (person, _, draw) => person.ask('POST', `${ADMIN}/${BULK[Math.floor(draw * BULK.length)]}`),
  },
  leaveAndReturn: {
    weight: 1,
    act: (person) => person.ask('DELETE', '/api/login').then(() => person.logIn()),
  },
  reconnect: {
    weight: 1,
    act: (person) => person.ask('DELETE', '/api/user/socket').then(() => person.ask('POST', '/api/user/socket')),
  },
} as const satisfies Readonly<Record<string, Press>>

/** By the names that a plan has. */
export const PRESS_BY_NAME: Readonly<Record<string, Press>> = PRESSES

export type PressName = keyof typeof PRESSES
