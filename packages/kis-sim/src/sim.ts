import { once } from 'node:events'
import { buildBroker } from './build.ts'
import { accountControl } from './control/account-control.ts'
import { controlRoutes } from './control/control.ts'
import { marketControl } from './control/market-control.ts'
import type { Sim } from './control/sim-control.ts'
import type { SimOptions } from './broker/options.ts'
import { savePrices } from './exchange/price-store.ts'
import { ReplyArchive } from './rest/archive.ts'
import { Keys } from './rest/keys.ts'
import { RestServer } from './rest/server.ts'
import { Feed } from './socket/feed.ts'
import { Hub } from './socket/hub.ts'
import { Notices } from './socket/notices.ts'
import type { Broker } from './broker/broker.ts'

export const DEFAULT_PORT = 18_443
const HOST = '127.0.0.1'

/** Starts a pretend broker. Rejects when the port is taken or an option makes no sense. */
export async function startSim(options: SimOptions = {}): Promise<Sim> {
  const archive = options.archive === undefined ? null : new ReplyArchive(options.archive)
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
  const rest = new RestServer(broker, keys, notices, (request) => control(request), archive)
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
  return {
    url: `http://${HOST}:${port}`,
    wsUrl: `ws://${HOST}:${port}`,
    port,
    clock: broker.clock,
    faults: broker.faults,
    broker,
    close,
    get accounts() {
      return [...broker.ledger.accounts.values()].map(({ spec }) => spec)
    },
    get traffic() {
      return rest.traffic
    },
    ...marketControl(broker),
    ...accountControl(broker),
    framesSent: (appKey) => hub.framesSent(appKey),
    registered: (appKey) => hub.registered(appKey),
    isKeyHeld: (appKey) => hub.isHeld(appKey),
    sockets: (what, appKey) => {
      for (const session of hub.sessions(appKey)) session[what]()
    },
    expireTokens: (appKey) => keys.expireTokens(appKey),
    issuedKeys: () => keys.issued(),
    restart: () => {
      hub.dropAll()
      keys.forget()
    },
  }
}
