import { once } from 'node:events'
import { dailyLimits, type Side } from '@digger/core'
import { buildBroker } from './build.ts'
import { controlRoutes } from './control/control.ts'
import { interrupt, RESUMED, STOPPED } from './exchange/interruption.ts'
import type { SimIssue } from './exchange/issue.ts'
import type { SetPrice, Sim, SimHolding } from './control/sim-control.ts'
import type { Account, SimOrder } from './ledger/account.ts'
import type { SimOptions } from './broker/options.ts'
import { savePrices } from './exchange/price-store.ts'
import { Keys } from './rest/keys.ts'
import { RestServer } from './rest/server.ts'
import { Feed } from './socket/feed.ts'
import { Hub } from './socket/hub.ts'
import { Notices } from './socket/notices.ts'
import type { Broker } from './broker/broker.ts'

export const DEFAULT_PORT = 18_443
const HOST = '127.0.0.1'
/** Shares on the tape of a set price. */
const USUAL_COUNT = 10

/** Starts a pretend broker. Rejects when the port is taken or an option makes no sense. */
export async function startSim(options: SimOptions = {}): Promise<Sim> {
  const { broker, start } = buildBroker(options)
  const keys = new Keys(broker, options.stateDir ?? null)
  const hub = new Hub(broker, keys)
  const notices = new Notices(broker, hub.notify)
  broker.exchange.listen(new Feed(broker, hub))
  broker.ledger.onFact((fact, account) => {
    if (fact.kind === 'opened' && account) keys.add(account)
  })
  // Accounts from the log are known before the listener above.
  for (const account of broker.ledger.accounts.values()) keys.add(account)
  const rest = new RestServer(broker, keys, notices, (request) => control(request))
  hub.attach(rest.http)
  rest.http.listen(options.port ?? DEFAULT_PORT, HOST)
  try {
    await once(rest.http, 'listening')
  } catch (error) {
    broker.clock.stop()
    broker.ledger.close()
    throw error
  }
  start()
  const address = rest.http.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  const { port } = address
  const close = async (): Promise<void> => {
    broker.clock.stop()
    hub.dropAll()
    rest.http.closeAllConnections()
    rest.http.close()
    await once(rest.http, 'close')
    if (options.stateDir !== undefined) savePrices(options.stateDir, broker.exchange, broker.firstDay)
    broker.ledger.close()
  }
  const sim = simOver(broker, keys, hub, { port, close, rest })
  const control = controlRoutes(sim)
  return sim
}

interface Running extends Pick<Sim, 'port' | 'close'> {
  readonly rest: RestServer
}

function simOver(broker: Broker, keys: Keys, hub: Hub, { port, close, rest }: Running): Sim {
  const { clock, exchange, ledger, faults } = broker
  const account = (number: string): Account => ledger.account(number)
  return {
    url: `http://${HOST}:${port}`,
    wsUrl: `ws://${HOST}:${port}`,
    port,
    clock,
    faults,
    world: broker,
    close,
    get accounts() {
      return [...ledger.accounts.values()].map(({ spec }) => spec)
    },
    price: (code) => exchange.issue(code).last,
    setPrice: (code, price, how) => setPrice(broker, exchange.issue(code), price, how ?? {}),
    setBase: (code, base) => setBase(exchange.issue(code), base),
    setHalted: (code, halted) => {
      const issue = exchange.issue(code)
      issue.halted = halted
      exchange.operation(issue, halted ? STOPPED : RESUMED)
    },
    interrupt: (code, ms = 120_000) => interrupt(exchange, exchange.issue(code), ms),
    addAccount: (spec) => void ledger.open(clock.now(), spec),
    setCash: (number, cash) => ledger.set(clock.now(), number, { cash }),
    setHolding: (number, code, count, averagePrice) =>
      ledger.set(clock.now(), number, { holding: { code, count, averagePrice } }),
    orders: (number) => account(number).orders,
    liveOrders: (number) => [...account(number).live],
    holdings: (number) => holdingsOf(account(number)),
    cash: (number) => {
      const { truth } = account(number)
      return { deposit: truth.deposit, settled: truth.cash(), orderable: account(number).orderable() }
    },
    trueEvents: (number) => account(number).facts,
    outsideTrade: (number, trade) => outsideTrade(broker, number, trade),
    get traffic() {
      return rest.traffic
    },
    framesSent: (appKey) => hub.framesSent(appKey),
    registered: (appKey) => hub.registered(appKey),
    sockets: (what, appKey) => {
      for (const session of hub.sessions(appKey)) session[what]()
    },
    expireTokens: (appKey) => keys.expireTokens(appKey),
    restart: () => {
      hub.dropAll()
      keys.forget()
    },
  }
}

function setPrice({ exchange, clock }: Broker, issue: SimIssue, price: number, how: SetPrice): void {
  const { lower, upper } = issue.limits
  if (!Number.isInteger(price) || price < lower || price > upper) {
    throw new RangeError(
      `${issue.listing.code} trades from ${lower} to ${upper} today, not at ${price}; setBase moves the limits`,
    )
  }
  const { count, aggressor = 'buy', venue } = how
  const print = { price, count: count ?? USUAL_COUNT, reach: count ?? Infinity, aggressor, at: clock.now() }
  for (const each of venue ? [venue] : (['KRX', 'NXT'] as const)) {
    if (each === 'NXT' && !issue.listing.nxt) continue
    if (exchange.trading(issue, each)) exchange.market(issue, each, [print])
    else exchange.indicate(issue, each, print)
  }
}

function setBase(issue: SimIssue, base: number): void {
  for (const tape of Object.values(issue.tapes)) tape.beginDay(base)
  issue.limits = dailyLimits(base, issue.listing.kind)
  issue.quoteAround(base, 'buy')
}

const holdingsOf = (account: Account): SimHolding[] =>
  [...account.truth.positions.values()]
    .filter(({ count }) => count > 0)
    .map(({ code, count, cost }) => ({
      code,
      count,
      sellable: count - account.locked(code),
      averagePrice: cost / count,
    }))

function outsideTrade(
  { exchange, ledger, clock }: Broker,
  account: string,
  { code, side, count, price }: { code: string; side: Side; count: number; price: number },
): SimOrder {
  const issue = exchange.issue(code)
  const order = ledger.accept(clock.now(), {
    account,
    code,
    side,
    count,
    price,
    reservedPrice: price,
    trigger: 0,
    original: null,
    change: null,
    division: '00',
    venue: 'KRX',
    routed: 'KRX',
  })
  ledger.fill(clock.now(), order, issue.listing, price, count)
  return order
}
