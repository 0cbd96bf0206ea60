import { kstInstant, knownTimetable } from '@digger/core'
import { createKis, UNLIMITED, type KisRest, type KisSocket, type NewOrder, type StoredToken } from '@digger/kis'
import { demoCredentials, startSim, type Sim, type SimOptions } from '@digger/kis-sim'
import { Examiner, type Subject } from '../src/index.ts'

export const ME = demoCredentials(0)
export const CODE = '005930'
/** An ETF of foreign shares, whose gain is income. */
const FOREIGN_ETF = '360750'

export const FRIDAY = '20261113'
export const MONDAY = '20261116'
export const at = (day: string, hhmmss: string): number => kstInstant(day, hhmmss)

export type Assumptions = NonNullable<SimOptions['assumptions']>

/** A pretend broker that keeps KRX's hours, whose time moves by hand, from the Friday on. */
export const brokerOf = (options: SimOptions = {}): Promise<Sim> =>
  startSim({
    port: 0,
    hours: 'krx',
    clock: { mode: 'manual', start: at(FRIDAY, '093000') },
    limits: 'off',
    accounts: [{ credentials: ME, cash: 100_000_000 }],
    ...options,
  })

export interface Client {
  readonly rest: KisRest
  readonly socket: KisSocket
  readonly tokens: Map<string, StoredToken>
  readonly close: () => Promise<void>
}

/** A client as Digger's, with nothing to wait for. `url`: of another address in front of the broker. */
export function clientOf(
  sim: Sim,
  url = sim.url,
  tokens = new Map<string, StoredToken>(),
  env: 'real' | 'paper' = 'real',
): Client {
  const { rest, socket } = createKis({
    env,
    restUrl: url,
    wsUrl: sim.wsUrl,
    credentials: ME,
    tokens: { load: async (id) => tokens.get(id) ?? null, save: async (id, token) => void tokens.set(id, token) },
    now: () => sim.clock.now(),
    limits: UNLIMITED,
    retries: { attempts: 2, pauseMs: 1 },
    tokenTimes: { spacingMs: 0, backOffMs: 0 },
  })
  const close = async (): Promise<void> => {
    await socket.close()
    await rest.close()
  }
  return { rest, socket, tokens, close }
}

export const subjectOf = (sim: Sim, rest: KisRest): Subject => ({
  rest,
  now: () => sim.clock.now(),
  wall: Date.now,
  timetable: knownTimetable('krx'),
  code: CODE,
})

export const examinerOf = (sim: Sim, rest: KisRest): Examiner => new Examiner(subjectOf(sim, rest))

const order = (more: Partial<NewOrder> & Pick<NewOrder, 'count'>): NewOrder => ({
  code: CODE,
  side: 'buy',
  type: 'limit',
  session: 'regular',
  price: 0,
  venue: 'KRX',
  ...more,
})

/**
 * What an account has behind it when it is examined: on the Friday a purchase at the market, sales of a stock and of an ETF with
 * gain, an order that is cancelled and one that expires; on the Monday morning one that still rests. Placed by the test, never by
 * what it tests. Afterwards it is Monday, half past ten.
 */
export async function makeHistory(sim: Sim, until = at(MONDAY, '103000')): Promise<void> {
  const { rest, close } = clientOf(sim)
  const move = (code: string, price: number): void => sim.setPrice(code, price, { count: 1_000, aggressor: 'buy' })
  const [price, etf] = [sim.price(CODE), sim.price(FOREIGN_ETF)]
  move(CODE, price)
  move(FOREIGN_ETF, etf)
  await rest.order(order({ count: 10, type: 'market' }))
  await rest.order(order({ count: 50, code: FOREIGN_ETF, type: 'best' }))
  await sim.clock.advance(60_000)
  move(CODE, price + 1_000)
  move(FOREIGN_ETF, etf + 500)
  await rest.order(order({ count: 2, side: 'sell', price: price - 500 }))
  await rest.order(order({ count: 50, side: 'sell', code: FOREIGN_ETF, price: etf }))
  const { odno, orgno } = await rest.order(order({ count: 3, price: price - 5_000 }))
  await rest.cancel({ odno, orgno, type: 'limit', session: 'regular', venue: 'KRX' })
  await rest.order(order({ count: 4, price: price - 6_000 }))
  await sim.clock.advance(at(MONDAY, '091000') - sim.clock.now())
  move(CODE, price + 500)
  await rest.order(order({ count: 5, price: price - 4_000 }))
  await sim.clock.advance(Math.max(0, until - sim.clock.now()))
  await close()
}

/** Orders the exchange was ever sent, and calls of the order paths that came to the broker's door. */
export const ordersAtExchange = (sim: Sim): number =>
  sim.orders(ME.accountNumber).length +
  ['orderBuy', 'orderSell', 'orderRevise'].reduce((sum, name) => sum + (sim.broker.calls.get(name) ?? 0), 0)
