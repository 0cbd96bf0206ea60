import { setTimeout as delay } from 'node:timers/promises'
import type { Cluster } from './cluster.ts'
import type { FaultKind } from './plan.ts'
import type { End } from './strike.ts'

interface Recovery {
  /** Before it nobody need have noticed, and all may still look armed, ms. */
  readonly noticedMs: number
  /** Until every account may trade again, ms: from the fault, or from its end where nothing can trade while it lasts. */
  readonly limitMs: number
  readonly from: 'fault' | 'end'
}

const UNTOUCHED: Recovery = { noticedMs: 4_000, limitMs: 0, from: 'fault' }
/** A lease is over after five seconds, and what is armed by it after four. */
const BY_LEASE: Recovery = { noticedMs: 7_000, limitMs: 11_000, from: 'fault' }
const BACK_MS = 6_000

export const RECOVERIES: Readonly<Record<FaultKind, Recovery>> = {
  kill: { noticedMs: 2_500, limitMs: 6_000, from: 'fault' },
  freeze: BY_LEASE,
  cutDatabase: BY_LEASE,
  killDatabase: { noticedMs: 2_000, limitMs: 10_000, from: 'end' },
  // Nobody else can do better meanwhile; an account that compares just then has to do so anew.
  cutExchange: { noticedMs: 5_000, limitMs: 11_000, from: 'end' },
  // Trading does not need any of these: each account stays armed where it is.
  cutBus: UNTOUCHED,
  killBus: UNTOUCHED,
  killGateway: UNTOUCHED,
  setClock: UNTOUCHED,
}

const TIMEOUT_MS = 120_000

/** Strikes, waits until all are armed, lets the fault end, and waits until all are armed again. */
export async function strikeAlone(
  { armed }: Cluster,
  kind: FaultKind,
  begin: () => Promise<End>,
): Promise<{ readonly ms: number; readonly backMs: number }> {
  const { noticedMs, from } = RECOVERIES[kind]
  const struck = Date.now()
  const end = await begin()
  if (from === 'end') await delay(noticedMs)
  const ms = from === 'fault' ? await armedAfter(armed, struck, noticedMs) : 0
  const ended = Date.now()
  await end()
  const backMs = await armedAfter(armed, ended, BACK_MS)
  return from === 'fault' ? { ms, backMs } : { ms: backMs, backMs }
}

async function armedAfter(armed: Cluster['armed'], from: number, noticedMs: number): Promise<number> {
  await delay(Math.max(0, from + noticedMs - Date.now()))
  for (;;) {
    const ms = armed.sinceThen(from)
    if (ms !== null || Date.now() - from > TIMEOUT_MS) return ms ?? TIMEOUT_MS
    await delay(25)
  }
}
