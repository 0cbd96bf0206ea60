export type { ClockMode, SimClock } from './runtime/clock.ts'
export { demoAccounts, demoCredentials } from './broker/credentials.ts'
export type { Candle } from './exchange/replay.ts'
export type { Fault, FaultKind, Faults } from './faults/faults.ts'
export type { SimOrder } from './ledger/account.ts'
export type { Fact, SimAccount } from './ledger/facts.ts'
export type { Pace, PacedCall, SimOptions } from './broker/options.ts'
export {
  DEFAULT_ASSUMPTIONS,
  MEASURED_LATENCY,
  NO_LATENCY,
  type Latency,
  type BrokerAssumptions,
} from './broker/assumptions.ts'
export { readCandles } from './exchange/replay-file.ts'
export type { SetPrice, Sim, SimCash, SimHolding } from './control/sim-control.ts'
export type { Traffic } from './rest/gateway.ts'
export { Lockstep, type Pair, type SteppedServer } from './lockstep.ts'
export { OneByOne } from './one-by-one.ts'
export { startSim } from './sim.ts'
export { UNIVERSE, isin, type Listing } from './exchange/universe.ts'
