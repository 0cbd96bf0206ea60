import type { SimOrder } from '@digger/kis-sim'
import { expect, test } from 'vitest'
import type { CommittedOrder } from './rows.ts'
import { Strays } from './strays.ts'

const PERSON = { userId: 'trader', account: '5000000101' }
const LOOK = { code: '005380', side: 'sell', price: 457_500, count: 1, day: '20261123' } as const
/** A line was lost, and what was on it counts as absent from then on, ms. */
const ABSENT_FROM = 20_000
const TAKEN = {
  ...LOOK,
  odno: '0000000359',
  account: PERSON.account,
  division: '00',
  trigger: 0,
  venue: 'KRX' as const,
  routed: 'KRX' as const,
  original: null,
  change: null,
  reservedPrice: 0,
  at: 0,
}

const row = (over: Partial<CommittedOrder>): CommittedOrder => ({
  ...LOOK,
  id: 128,
  origin: 'person',
  type: 'limit',
  status: 'unknown',
  live: true,
  odno: null,
  filled_count: 0,
  reserved_price: 0,
  created_at: 0,
  absent_from: ABSENT_FROM,
  ...over,
})

/** The network delivers the order this late; then its row is `after`. */
function delivered(now: number, after: CommittedOrder) {
  let rows = [row({})]
  const stage = {
    sim: { faults: { carrying: 'lateRequest' as const }, orders: () => [{ ...TAKEN, remaining: 0 } as SimOrder] },
    simulation: { epoch: 0, now },
  }
  const strays = new Strays(stage, { orders: () => rows })
  const said = strays.note(TAKEN, rows)
  rows = [after]
  return { said, isStray: strays.isStray(PERSON, TAKEN.odno), codes: strays.codesOf(PERSON) }
}

const given = row({ status: 'notPlaced', live: false })
const adopted = row({ status: 'open', odno: TAKEN.odno })

test('what comes so late that the list need not show it in time may be given up', () => {
  expect(delivered(19_759, given)).toEqual({ said: 'too late', isStray: true, codes: [LOOK.code] })
  expect(delivered(19_759, adopted)).toMatchObject({ isStray: false })
})

test('what is listed before its lateness is over is the book’s own', () => {
  expect(delivered(14_000, given)).toEqual({ said: null, isStray: false, codes: [] })
})
