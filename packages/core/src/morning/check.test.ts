import { describe, expect, test } from 'vitest'
import { CODE, Desk } from '../../test/desk.ts'
import { gate } from '../account/gate.ts'
import { kstInstant } from '../krx/kst.ts'
import type { Context } from '../account/step-types.ts'
import { morningCheck, morningLine, morningState, redToCall } from './check.ts'
import { MORNING_ITEMS, type MorningFacts, type MorningItem, type MorningItemName } from './types.ts'

const DAY = '20261116'
const WELL: MorningFacts = {
  opened: true,
  socket: { connected: true, wanted: true, since: 5, receivedAt: null },
  machineAheadMs: 0,
  calendar: { listed: 'open', isOffered: true, isOperators: false },
  isIssueRead: () => true,
}

type Over = Omit<Partial<MorningFacts>, 'socket' | 'calendar'> & {
  socket?: Partial<MorningFacts['socket']>
  calendar?: Partial<MorningFacts['calendar']>
}

function check(desk: Desk, over: Over = {}, ctx: Partial<Context> = {}): MorningItem[] {
  const facts = {
    ...WELL,
    ...over,
    socket: { ...WELL.socket, ...over.socket },
    calendar: { ...WELL.calendar, ...over.calendar },
  }
  return morningCheck({ account: desk.account, ctx: { ...desk.ctx, ...ctx }, facts })
}

const one = (items: readonly MorningItem[], name: MorningItemName): string => {
  const found = items.find(({ item }) => item === name)
  return `${found?.state} ${found?.text}`
}

/** In the session, armed, cash answered, the day's limits read. */
function ready(settings = {}): Desk {
  const desk = new Desk(settings)
  desk.env = 'real'
  desk.quote(76_000, { moved: null }).read([], []).timer().cash(100)
  return desk.wait(11_000).read([], [])
}

test('all is well: each item in its order, each with a sentence', () => {
  const items = check(ready())
  expect(items.map(({ item }) => item)).toEqual([...MORNING_ITEMS])
  expect(morningLine(items)).toBe(
    'key=ok notices=ok clock=ok hours=ok limits=ok venues=notApplicable base=ok book=ok cash=ok',
  )
  for (const { text } of items) expect(text).toMatch(/[다요]\.$/)
  expect(morningState(items)).toBe('ok')
  expect(one(items, 'hours')).toBe('ok 오늘 정규장은 09:00부터 15:30까지입니다. 증권사도 같습니다.')
  expect(one(items, 'cash')).toContain('원까지 살 수 있습니다.')
})

const DAWN = { now: kstInstant(DAY, 80_500) }
const SATURDAY = { now: kstInstant('20261121', 100_000) }

test.each<[string, MorningItemName, (desk: Desk) => [Over?, Partial<Context>?], RegExp]>([
  ['no key', 'key', () => [{ opened: false }], /^red .*로그인/],
  ['no key: the rest waits for it', 'book', () => [{ opened: false }], /^waiting 키가 열리면/],
  [
    'a key that is being opened',
    'key',
    (desk) => (desk.do({ kind: 'authorised', authorised: false }), []),
    /^waiting /,
  ],
  ['a notice came', 'notices', () => [{ socket: { receivedAt: kstInstant(DAY, 95_959) } }], /^ok .*09:59:59\.$/],
  ['none came yet', 'notices', () => [], /^ok .*아직 받은 통보는 없습니다/],
  ['no line', 'notices', () => [{ socket: { connected: false } }], /^waiting .*목록을 읽어/],
  ['closed on purpose', 'notices', () => [{ socket: { connected: false, wanted: false } }], /^waiting .*‘시세 연결’/],
  ['an HTS ID that was refused', 'notices', () => [{}, { doubts: { noticesRefused: true } }], /^red .*HTS ID/],
  ['a time that nobody has said', 'clock', () => [{}, { isTimeUnknown: true }], /^waiting /],
  ['a broker without a clock', 'clock', () => [{ machineAheadMs: null }], /^notApplicable .*NTP/],
  ['a machine that is ahead', 'clock', () => [{ machineAheadMs: 62_400 }], /^ok .*62초 빠릅니다/],
  ['a machine that is behind', 'clock', () => [{ machineAheadMs: -62_400 }], /^ok .*62초 늦습니다/],
  ['a broker that is ahead', 'clock', () => [{}, { doubts: { clockOffMs: 5_400 } }], /^red .*5초 빨라/],
  ['a list that was not read', 'hours', () => [{ calendar: { listed: null } }], /^waiting .*Digger의 달력/],
  ['no list to read', 'hours', () => [{ calendar: { listed: null, isOffered: false } }], /^notApplicable /],
  ['an operator’s day', 'hours', () => [{ calendar: { listed: 'closed', isOperators: true } }], /^ok .*관리자가 정한/],
  ['a disputed day', 'hours', () => [{}, { doubts: { isDayDisputed: true } }], /^red .*거래일 달력/],
  [
    'a closed day',
    'hours',
    () => [{ calendar: { listed: 'closed' } }, SATURDAY],
    /^ok 오늘은 쉬는 날입니다\. 증권사도/,
  ],
  ['a closed day: nothing is read', 'limits', () => [{}, SATURDAY], /^notApplicable /],
  ['no limits at dawn', 'limits', (desk) => (desk.quote(76_000, { band: null }), [{}, DAWN]), /^waiting 1개 종목/],
  ['no limits in the session', 'limits', (desk) => (desk.quote(76_000, { band: null }), []), /^red .*사지 않습니다/],
  ['and so no base', 'base', (desk) => (desk.quote(76_000, { band: null }), []), /^waiting /],
  ['a base in doubt', 'base', (desk) => (desk.quote(76_000, { isDoubted: true }), []), /^red .*기준가가 달라/],
  [
    'a base that moved',
    'base',
    (desk) => (desk.quote(14_000, { moved: { day: DAY, close: 70_000, base: 14_000 } }), []),
    /^red .*조정하거나/,
  ],
  ['venues: KRX only', 'venues', () => [], /^notApplicable KRX에만/],
  ['venues read', 'venues', (desk) => (desk.choose({ sor: true }), []), /^ok .*0개입니다/],
  ['venues unread', 'venues', (desk) => (desk.choose({ sor: true }), [{ isIssueRead: () => false }]), /^waiting 1개/],
  ['paper has one venue', 'venues', (desk) => (desk.choose({ sor: true }), [{}, { env: 'paper' }]), /^notApplicable/],
  [
    'lists that fail',
    'book',
    (desk) => (desk.do({ kind: 'linked' }), desk.do({ kind: 'snapshotFailed', text: '점검 중입니다.' }), []),
    /^red .*점검 중입니다\.$/,
  ],
  ['a comparison on its way', 'book', (desk) => (desk.do({ kind: 'linked' }), []), /^waiting /],
  ['cash refused', 'cash', (desk) => (desk.do({ kind: 'cashFailed', text: '조회 불가' }), []), /^red .*조회 불가$/],
])('%s', (_name, item, make, expected) => {
  const desk = ready()
  const [over, ctx] = make(desk)
  expect(one(check(desk, over, ctx), item)).toMatch(expected)
})

describe('stocks', () => {
  test('who trades nothing by itself has nothing to wait for', () => {
    const desk = ready({ autoBuy: false, autoSell: false }).quote(76_000, { band: null })
    const items = check(desk)
    for (const name of ['limits', 'base', 'venues', 'cash'] as const) expect(one(items, name)).toMatch(/^notApplicable/)
  })

  test('what is red names the stocks it binds', () => {
    const items = check(ready().quote(76_000, { band: null }))
    expect(items.find(({ item }) => item === 'limits')?.codes).toEqual([CODE])
    expect(morningLine(items)).toContain(`limits=red(${CODE})`)
  })

  test('a difference in shares is doubted first and red then', () => {
    const desk = ready().hold([1, 2, 70_000])
    desk.wait(11_000).read([], [[5, 70_000]])
    expect(one(check(desk), 'book')).toMatch(/^waiting/)
    desk.wait(11_000).read([], [[5, 70_000]])
    expect(one(check(desk), 'book')).toMatch(/^red .*잔고를 맞춰/)
  })
})

test('a pretend market that is always open has no hours and no venues', () => {
  const desk = ready()
  desk.hours = 'always'
  expect(one(check(desk), 'hours')).toMatch(/^notApplicable 늘 열려/)
  expect(one(check(desk.choose({ sor: true })), 'venues')).toMatch(/^notApplicable/)
})

test('only what nothing else calls a person for is called for', () => {
  const desk = ready().quote(14_000, { moved: { day: DAY, close: 70_000, base: 14_000 } })
  desk.doubts = { clockOffMs: 9_000, isDayDisputed: true, noticesRefused: true }
  desk.do({ kind: 'cashFailed', text: '조회 불가' })
  expect(redToCall(check(desk, { opened: true })).map(({ item }) => item)).toEqual([
    'notices',
    'clock',
    'hours',
    'cash',
  ])
  expect(redToCall(check(desk.quote(76_000, { isDoubted: true }))).map(({ item }) => item)).toContain('base')
})

/** What the gate refuses for a doubt is red here, and what it lets pass is not: the two look at the same. */
test.each<[string, (desk: Desk) => void, MorningItemName, boolean]>([
  ['the clock', (desk) => (desk.doubts = { clockOffMs: 4_000 }), 'clock', true],
  ['the day', (desk) => (desk.doubts = { isDayDisputed: true }), 'hours', true],
  ['the notices', (desk) => (desk.doubts = { noticesRefused: true }), 'notices', true],
  ['the limits', (desk) => desk.quote(69_000, { band: null }), 'limits', true],
  ['the base', (desk) => desk.quote(69_000, { isDoubted: true }), 'base', true],
  ['the comparison', (desk) => desk.do({ kind: 'linked' }).do({ kind: 'snapshotFailed', text: '' }), 'book', true],
  ['nothing', () => undefined, 'clock', false],
])('%s: red in the check and refused by the gate', (_name, make, item, isRed) => {
  const desk = ready()
  desk.quote(69_000)
  make(desk)
  const buy = { side: 'buy', origin: 'auto', type: 'limit', price: 69_000, reservedPrice: 69_000 } as const
  const result = gate(desk.account, desk.ctx, { ...buy, stock: desk.stock, count: 1, lotIds: [] })
  expect([result.ok, one(check(desk), item).startsWith('red')]).toEqual([!isRed, isRed])
})
