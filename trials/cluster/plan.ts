import { generator } from '@digger/app'

export const KINDS = [
  'kill',
  'freeze',
  'cutDatabase',
  'cutExchange',
  'cutBus',
  'killBus',
  'killDatabase',
  'killGateway',
  'setClock',
] as const
export type FaultKind = (typeof KINDS)[number]
export const isFaultKind = (name: string): name is FaultKind => KINDS.some((kind) => kind === name)

export interface PlannedFault {
  /** From the beginning of the faults, ms. */
  readonly at: number
  readonly kind: FaultKind
  /** Number of the worker or gateway it strikes, from 0; 0 where it strikes none. */
  readonly member: number
  readonly forMs: number
}

interface FaultRange {
  /** How often among the others. */
  readonly weight: number
  /** Shortest and longest, ms. Of what is killed: until it is started again. */
  readonly ms: readonly [number, number]
  /** The same of a short run. */
  readonly shortMs: readonly [number, number]
  readonly strikes: 'worker' | 'gateway' | 'all'
}

/** The longest stand-still outlives every lease, time-out and keep-alive of the product. */
const RANGES: Readonly<Record<FaultKind, FaultRange>> = {
  kill: { weight: 5, ms: [1_000, 10_000], shortMs: [500, 3_000], strikes: 'worker' },
  freeze: { weight: 5, ms: [2_000, 150_000], shortMs: [2_000, 10_000], strikes: 'worker' },
  cutDatabase: { weight: 4, ms: [3_000, 90_000], shortMs: [3_000, 10_000], strikes: 'worker' },
  cutExchange: { weight: 4, ms: [3_000, 90_000], shortMs: [3_000, 10_000], strikes: 'worker' },
  cutBus: { weight: 2, ms: [3_000, 90_000], shortMs: [3_000, 10_000], strikes: 'worker' },
  killBus: { weight: 2, ms: [1_000, 60_000], shortMs: [1_000, 6_000], strikes: 'all' },
  killDatabase: { weight: 2, ms: [500, 30_000], shortMs: [500, 5_000], strikes: 'all' },
  setClock: { weight: 2, ms: [3_000, 90_000], shortMs: [3_000, 10_000], strikes: 'worker' },
  killGateway: { weight: 2, ms: [1_000, 10_000], shortMs: [500, 3_000], strikes: 'gateway' },
}

export interface PlanSize {
  readonly seed: number
  readonly faults: number
  readonly workers: number
  readonly gateways: number
  readonly short: boolean
  /** Default: all. */
  readonly kinds?: readonly FaultKind[] | undefined
}

/** Between two faults, ms: less than most of them last, so that they overlap. */
const INTERVAL_MS = [500, 12_000] as const
const SHORT_INTERVAL_MS = [500, 4_000] as const

/** The same faults for the same seed and size, each time. The first ones are of all kinds, so that a short run has them too. */
export function planOf({ seed, faults, workers, gateways, short, kinds = KINDS }: PlanSize): PlannedFault[] {
  const draw = generator(seed)
  const between = ([from, to]: readonly [number, number]): number => Math.round(from + draw() * (to - from))
  const first = shuffled(kinds, draw)
  let at = 0
  return Array.from({ length: faults }, (_, n) => {
    const kind = first[n] ?? weighted(kinds, draw())
    const { ms, shortMs, strikes } = RANGES[kind]
    const count = { worker: workers, gateway: gateways, all: 1 }[strikes]
    const fault = { at, kind, member: Math.floor(draw() * count), forMs: between(short ? shortMs : ms) }
    at += between(short ? SHORT_INTERVAL_MS : INTERVAL_MS)
    return fault
  })
}

function weighted(kinds: readonly FaultKind[], drawn: number): FaultKind {
  let left = drawn * kinds.reduce((sum, kind) => sum + RANGES[kind].weight, 0)
  return kinds.find((kind) => (left -= RANGES[kind].weight) < 0) ?? kinds[0] ?? 'kill'
}

function shuffled(kinds: readonly FaultKind[], draw: () => number): FaultKind[] {
  return kinds
    .map((kind) => ({ kind, by: draw() }))
    .toSorted((a, b) => a.by - b.by)
    .map(({ kind }) => kind)
}
