import { createKis, UNLIMITED, type KisRest } from '@digger/kis'
import { afterEach, expect, test } from 'vitest'
import { demoCredentials, type Sim, type SimOptions } from '../src/index.ts'
import { at, stillSim } from './client.ts'

/** What the client makes of what the exchange does to an issue, over the wire, however the broker writes it. */
const CODE = '005930'
const SHOWN = ['codes', 'blank', 'newCode'] as const

let sim: Sim
let rest: KisRest | undefined
afterEach(async () => {
  await rest?.close()
  rest = undefined
  await sim.close()
})

async function open(assumptions: NonNullable<SimOptions['assumptions']>, more: SimOptions = {}): Promise<void> {
  sim = await stillSim({
    hours: 'krx',
    assumptions,
    clock: { mode: 'manual', start: at('10:00:00', '2026-11-20') },
    ...more,
  })
  rest = createKis({
    env: 'real',
    restUrl: sim.url,
    wsUrl: sim.wsUrl,
    credentials: demoCredentials(0),
    tokens: { load: async () => null, save: async () => undefined },
    now: () => sim.clock.now(),
    limits: UNLIMITED,
  }).rest
}

const statuses = async (): Promise<readonly string[] | undefined> => (await rest?.quote(CODE))?.statuses

test.each(SHOWN)('every designation is read, and its end, where others are shown as %s', async (statusShown) => {
  await open({ statusShown })
  const none = statusShown === 'newCode' ? ['unknown'] : []
  expect(await statuses()).toEqual(none)
  for (const as of ['caution', 'warning', 'risk', 'administrative', 'liquidation'] as const) {
    sim.setWarning(CODE, as)
    expect(await statuses()).toEqual([as])
  }
  sim.setWarning(CODE, null)
  expect(await statuses()).toEqual(none)
  expect(sim.broker.assumed.times('statusShown')).toBeGreaterThan(6)
})

test.each(SHOWN)('a halt hides a designation in the one code, not in the flags beside it: %s', async (statusShown) => {
  await open({ statusShown })
  sim.setWarning(CODE, 'administrative')
  sim.setHalted(CODE, true)
  expect((await statuses())?.toSorted()).toEqual(['administrative', 'halted'])
  sim.setHalted(CODE, false)
  expect(await statuses()).toEqual(['administrative'])
})

test('an interruption is shown while it lasts, one price every half hour for its days', async () => {
  await open({}, { happenings: [{ kind: 'singlePrice', code: '000660', from: '20261120', until: '20261120' }] })
  sim.interrupt(CODE, 60_000)
  expect(await statuses()).toEqual(['interrupted'])
  await sim.clock.advance(60_000)
  expect(await statuses()).toEqual([])
  expect((await rest?.quote('000660'))?.statuses).toEqual(['overheated'])
})
