import { MEASURED_LATENCY, NO_LATENCY, type Latency } from './broker/assumptions.ts'
import { Visibility, type Broker } from './broker/broker.ts'
import { settlementDay } from './broker/market-setup.ts'
import type { SimOptions } from './broker/options.ts'
import { Exchange } from './exchange/exchange.ts'
import { Happenings } from './exchange/happenings.ts'
import { SecondVenue } from './exchange/second-venue.ts'
import { Faults } from './faults/faults.ts'
import { Ledger } from './ledger/ledger.ts'
import { Dice } from './runtime/random.ts'

const DEFAULT_SEED = 1
const DEFAULT_LEVEL_WON = 100_000_000

interface Market extends Pick<Broker, 'clock' | 'firstDay' | 'hours' | 'assumed'> {
  readonly listings: Exchange['options']['listings']
}

/** The parts of a market, joined; nothing runs yet. */
export function assemble(options: SimOptions, { clock, firstDay, hours, assumed, listings }: Market): Broker {
  const seed = options.seed ?? DEFAULT_SEED
  const faults = new Faults(seed)
  const dice = new Dice(seed, 'delays')
  const latency = latencyOf(options)
  const timeScale = (): number => (options.brokerTime === 'market' ? Math.min(1, clock.speed) : clock.speed)
  const ledger = new Ledger({
    balanceLag: (account) => (dice.within(latency.balance) + faults.lag('balanceLag', account)) * timeScale(),
    stateDir: options.stateDir ?? null,
    settles: (day) => settlementDay(day, hours),
    assumed,
  })
  const exchange = new Exchange({
    clock,
    ledger,
    hours,
    seed,
    listings,
    levelWon: options.levelWon ?? DEFAULT_LEVEL_WON,
    assumed,
    delay: () => dice.within(latency.exchange) * timeScale(),
    rejects: (order) => order.change === null && faults.rejectsLater(order.account),
  })
  if (assumed.answers.venuePrices === 'own') exchange.listen(new SecondVenue(exchange))
  return {
    clock,
    seed,
    firstDay,
    exchange,
    happenings: new Happenings(exchange, options.happenings ?? [], options.stateDir ?? null),
    ledger,
    faults,
    latency,
    hours,
    dice,
    assumed,
    limits: options.limits ?? 'enforced',
    wire: { version: options.wire ?? 'current', noticeFields: options.noticeFields ?? 26 },
    timeScale,
    visibility: new Visibility(),
    pace: options.pace ?? null,
    rowsPerPage: options.rowsPerPage ?? null,
    calls: new Map(),
  }
}

function latencyOf({ latency, clock }: SimOptions): Latency {
  const chosen = latency ?? (clock === undefined || clock.mode === 'real' ? 'measured' : 'none')
  if (chosen === 'none') return NO_LATENCY
  return chosen === 'measured' ? MEASURED_LATENCY : { ...NO_LATENCY, ...chosen }
}
