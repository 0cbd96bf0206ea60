import { expect, test } from 'vitest'
import type { Pulse } from './account/pulse.ts'
import { BOUNDS, vitalsOf, type Surroundings } from './vitals.ts'

const well: Pulse = {
  opened: true,
  authorised: true,
  armed: true,
  unarmedAge: 0,
  unauthorisedAge: 0,
  withoutPricesAge: 0,
  mailbox: 0,
  mailboxAge: 0,
  failingAge: 0,
  undecided: 0,
  queue: 0,
  queuePeak: 0,
  queueAge: 0,
  working: true,
  listAge: 0,
  due: 0,
  dueAge: 0,
  unknown: 0,
  unknownAge: 0,
  cashQuestions: 0,
  listsRead: 0,
  inSession: true,
  matters: { stocks: {}, asks: false, limits: [], automatic: true },
}
const quiet: Surroundings = { leaseHeld: true, silentMs: 0, brokerDown: false }
const codes = (pulse: Partial<Pulse>, around: Partial<Surroundings> = {}): string[] =>
  vitalsOf([well, { ...well, ...pulse }], { ...quiet, ...around }).troubles.map((trouble) => trouble.code)

test.each<[string, Partial<Pulse>, Partial<Surroundings>, string[]]>([
  ['all is well', {}, {}, []],
  ['at every bound, not beyond', atBounds(), { silentMs: BOUNDS.write }, []],
  ['nothing can be written', {}, { silentMs: 8_001 }, ['write']],
  ['the lock is lost', {}, { leaseHeld: false }, ['lease']],
  ['commits fail', { failingAge: 8_001 }, {}, ['commits']],
  ['an event that could not be decided', { undecided: 1 }, {}, ['events']],
  ['the same while the broker is down', { undecided: 1 }, { brokerDown: true }, ['events']],
  ['an opened key without permission', { authorised: false, unauthorisedAge: 8_001 }, {}, ['permission']],
  ['not armed for a minute', { armed: false, unarmedAge: 60_001 }, {}, ['armed']],
  ['a mailbox that does not move', { mailboxAge: 8_001 }, {}, ['mailbox']],
  ['broker calls that wait', { queueAge: 20_001 }, {}, ['queue']],
  ['old lists with an order at work', { listAge: 60_001 }, {}, ['lists']],
  ['the same without one', { listAge: 60_001, working: false }, {}, []],
  ['ten minutes and more without any list', { listAge: 900_001, working: false }, {}, ['lists']],
  ['a due order that does not go out', { dueAge: 30_001 }, {}, ['due']],
  ['five minutes without prices', { withoutPricesAge: 300_001 }, {}, ['prices']],
  ['a broker that is down without prices', { withoutPricesAge: 1e9 }, { brokerDown: true }, []],
  ['a broker that is down is reported once', { listAge: 1e9, armed: false, unarmedAge: 1e9 }, { brokerDown: true }, []],
])('%s', (_name, pulse, around, expected) => {
  expect(codes(pulse, around)).toEqual(expected)
})

function atBounds(): Partial<Pulse> {
  const { permission, armed, mailbox, write, queue, lists, due, prices } = BOUNDS
  const ages = { unauthorisedAge: permission, unarmedAge: armed, mailboxAge: mailbox, failingAge: write }
  return { ...ages, queueAge: queue, listAge: lists, dueAge: due, withoutPricesAge: prices }
}

test('each trouble names in Korean how many accounts it concerns', () => {
  const { troubles, ...figures } = vitalsOf([well, { ...well, armed: false, unarmedAge: 99_999 }], quiet)
  expect(troubles).toEqual([{ code: 'armed', accounts: 1, text: expect.stringMatching(/^계좌 1개: .*않습니다\.$/) }])
  expect(figures).toMatchObject({ opened: 2, authorised: 2, armed: 1 })
})

test('what waits for people is counted by cause and named, and is no trouble', () => {
  const one: Pulse = {
    ...well,
    matters: { stocks: { rejects: 2, frozen: 1 }, asks: true, limits: ['lossAmount'], automatic: true },
  }
  const other: Pulse = {
    ...well,
    matters: { stocks: { rejects: 1 }, asks: false, limits: ['repeatCount', 'repeatCount'], automatic: true },
  }
  const { troubles, forPeople, ...figures } = vitalsOf([well, one, other], quiet)
  expect(troubles).toEqual([])
  expect(figures).toMatchObject({
    stocksStopped: { mismatch: 0, rejects: 3, ambiguous: 0, frozen: 1 },
    asking: 1,
    limitsReached: 3,
    notArmedInSession: 0,
  })
  expect(forPeople.map(({ code, accounts, stocks }) => [code, accounts, stocks])).toEqual([
    ['rejects', 2, 3],
    ['frozen', 1, 1],
    ['otherServer', 1, 0],
    ['lossAmount', 1, 0],
    ['repeatCount', 1, 0],
  ])
})

test.each<[string, Partial<Pulse>, number, string[]]>([
  ['armed', {}, 0, []],
  ['not compared yet', { armed: false }, 1, []],
  ['without its key', { armed: false, opened: false, authorised: false }, 1, ['noKey']],
  ['without its key at night', { armed: false, opened: false, authorised: false, inSession: false }, 0, []],
  [
    'without its key, with nothing to trade',
    { armed: false, opened: false, authorised: false, matters: { ...well.matters, automatic: false } },
    0,
    [],
  ],
])('%s: missed in session or not', (_name, pulse, missed, named) => {
  const { notArmedInSession, forPeople } = vitalsOf([well, { ...well, ...pulse }], quiet)
  expect([notArmedInSession, forPeople.map(({ code }) => code)]).toEqual([missed, named])
})

test('events that could not be decided are counted over all accounts, and the words say how many', () => {
  const { troubles, undecided } = vitalsOf([{ ...well, undecided: 2 }, well, { ...well, undecided: 3 }], quiet)
  expect([undecided, troubles]).toEqual([
    5,
    [{ code: 'events', accounts: 2, text: expect.stringMatching(/^계좌 2개: .* 5번 이어졌습니다\./) }],
  ])
})
