import { emptyBook, evolve, type Book, type Fact, type HeldLot } from '@digger/core'
import { describe, expect, test } from 'vitest'
import { CODE, DAY, ISSUE, SETTINGS, Stage } from '../test/stage.ts'
import { followed, meeting } from './follow.ts'

const OTHER = '000660'
const lot = (id: number): HeldLot => ({
  id,
  count: 3,
  buyPrice: 71_000,
  buyAmount: 213_000,
  boughtAt: 1,
  buyOrderId: null,
  heldBack: false,
  takenOver: false,
})

const added = (code: string): Fact => ({
  kind: 'stockAdded',
  code,
  name: code,
  issue: { ...ISSUE, code },
  settings: SETTINGS,
  at: 0,
})
const shadowed = (code: string, shadow = true): Fact => ({ kind: 'stockShadowed', code, shadow, at: 0 })
const real = (...facts: Fact[]): Book => facts.reduce(evolve, emptyBook(DAY))
const inShadow = (...facts: Fact[]): Book => real(added(CODE), shadowed(CODE), ...facts)

/** As the rehearsal's own trades reach them. */
const ACCOUNT_LIMIT: Fact = { kind: 'limitReached', limit: 'lossAmount', text: '손실 한도에 닿았습니다.', at: 0 }
const STOCK_LIMIT: Fact = {
  kind: 'stockLimitReached',
  code: CODE,
  limit: 'repeatCount',
  text: '열한 번째입니다.',
  at: 0,
}

/** What the rehearsal is after it has met the real account. */
function met(stage: Stage, book: Book, isEverything = false): Stage {
  return stage.add(...meeting({ book, isEverything }, stage.state.account.book, 5))
}
const stockOf = (stage: Stage) => stage.state.account.book.stocks.get(CODE)
/** As a copy of the real stock, which nothing has happened to. */
const begun = (): Stage => met(new Stage(), inShadow())
const codes = (stage: Stage): string[] => [...stage.state.account.book.stocks.keys()]

describe('beginnings and ends', () => {
  const two = [added(CODE), added(OTHER), shadowed(OTHER)]

  test('only what is in the shadow is rehearsed, with its own lots; the rest ends', () => {
    const stage = met(new Stage(), real(...two, { kind: 'lotBought', code: OTHER, lot: lot(4), at: 0 }))
    expect(codes(stage)).toEqual([OTHER])
    expect(stage.state.account.book.stocks.get(OTHER)).toMatchObject({
      settings: SETTINGS,
      shadow: false,
      lots: [lot(4)],
    })
  })

  test('a server that only rehearses rehearses all', () => {
    expect(codes(met(new Stage(), real(added(CODE), added(OTHER)), true))).toEqual([CODE, OTHER])
  })

  test('met again it makes no fact', () => {
    const book = real(...two, {
      kind: 'venuesChosen',
      venues: { sor: true, preMarket: false, afterMarket: false },
      at: 0,
    })
    const stage = met(new Stage(), book)
    expect(stage.state.account.book.venues.sor).toBe(true)
    expect(meeting({ book, isEverything: false }, stage.state.account.book, 9)).toEqual([])
  })

  test('an end leaves no order, no lot and nothing of what it would have spent', () => {
    const stage = new Stage().price(70_000).price(69_900)
    expect(stage.state.outlay.get(CODE)).toBe(140_000)
    met(stage, real(added(CODE)))
    expect(stage.orders).toEqual(['S1 buy 2 @ 70000 filled', 'S2 sell 2 @ 70700 cancelled'])
    expect([codes(stage), stage.state.outlay.size]).toEqual([[], 0])
  })

  test('a lot that only the rehearsal bought never has the number of a real one', () => {
    const stage = met(new Stage().price(70_000).price(69_900), real(added(CODE), shadowed(CODE)))
    met(
      stage,
      real(added(CODE), shadowed(CODE), added(OTHER), shadowed(OTHER), {
        kind: 'lotBought',
        code: OTHER,
        lot: lot(1),
        at: 0,
      }),
    )
    const ids = [...stage.state.account.book.stocks.values()].flatMap(({ lots }) => lots.map(({ id }) => id))
    expect(ids).toEqual([1_000_000_001, 1])
  })

  test('its first days are those of the real account, which may have none', () => {
    const rule = { on: true, days: 5, amount: 1_000_000, startedOn: null, usedDays: 0, pending: null }
    const begun = real(added(CODE), shadowed(CODE), { kind: 'firstDaysSet', firstDays: rule, at: 0 })
    const stage = met(new Stage(), begun)
    expect(stage.state.account.book.limits.firstDays).toEqual(rule)
    const over = { ...rule, on: false }
    stage.add(...followed([{ kind: 'firstDaysSet', firstDays: over, at: 0 }], begun, stage.state.account.book))
    expect(stage.state.account.book.limits.firstDays).toEqual(over)
    expect(met(new Stage(), real(added(CODE), shadowed(CODE))).state.account.book.limits.firstDays).toBe(undefined)
  })

  test('a halt of the person counts from the start; a stop of the rehearsal’s own limits stays', () => {
    const halted = real(added(CODE), shadowed(CODE), { kind: 'userStopped', stop: 'halt', at: 0 })
    expect(met(new Stage(), halted).state.account.book.stop).toBe('halt')
    const own = new Stage().add(ACCOUNT_LIMIT)
    expect(met(own, real(added(CODE), shadowed(CODE))).state.account.book.stop).toBe('reduce')
  })
})

describe('what was saved while the rehearsal was not there', () => {
  test('settings hold from the meeting on; the reference stays the rehearsal’s own', () => {
    const settings = { ...SETTINGS, sellPercent: 5, lastBuyPrice: 99_000 }
    const stage = met(
      begun().price(70_000).price(69_900),
      inShadow({ kind: 'settingsSaved', code: CODE, settings, at: 1 }),
    )
    expect(stockOf(stage)?.settings).toEqual({ ...settings, lastBuyPrice: 70_000 })
    expect(stockOf(stage)?.lots).toHaveLength(1)
  })

  test('a stop of the stock, its end, its name and its listing', () => {
    const issue = { ...ISSUE, nxt: true }
    const stopped: Fact[] = [
      { kind: 'stockStopped', code: CODE, stop: 'halt', at: 1 },
      { kind: 'issueChanged', code: CODE, name: '삼성', issue, at: 1 },
    ]
    const stage = met(begun(), inShadow(...stopped))
    expect(stockOf(stage)).toMatchObject({ stop: 'halt', name: '삼성', issue })
    met(stage, inShadow(...stopped, { kind: 'stockStopped', code: CODE, stop: 'active', at: 2 }))
    expect(stockOf(stage)?.stop).toBe('active')
  })

  test.each(['halt', 'reduce'] as const)('a %s of the account that was lifted', (stop) => {
    const stage = met(begun(), inShadow({ kind: 'userStopped', stop, at: 1 }))
    expect(met(stage, inShadow()).state.account.book.stop).toBe('active')
  })

  test('a halt that was lifted leaves what the rehearsal’s own limits had stopped', () => {
    const stage = met(begun().add(ACCOUNT_LIMIT, STOCK_LIMIT), inShadow({ kind: 'userStopped', stop: 'halt', at: 1 }))
    expect([stage.state.account.book.stop, stockOf(stage)?.stop]).toEqual(['halt', 'reduce'])
    met(stage, inShadow())
    expect([stage.state.account.book.stop, stockOf(stage)?.stop]).toEqual(['reduce', 'reduce'])
  })

  test('prices that follow a move of the base: it begins anew from the real book', () => {
    const stage = begun().price(70_000).price(69_900)
    met(stage, inShadow({ kind: 'stockThawed', code: CODE, settledOn: DAY, at: 1 }))
    expect(stockOf(stage)).toMatchObject({ settledOn: DAY, lots: [] })
  })

  test('nothing is recorded where nothing differs, though the table keeps names in another order', () => {
    const { lastBuyPrice, ...settings } = SETTINGS
    const other = { kind: 'settingsSaved', code: CODE, settings: { lastBuyPrice, ...settings }, at: 1 } as const
    const stage = met(begun(), inShadow(other))
    const { length } = stage.journal
    expect(met(stage, inShadow()).journal).toHaveLength(length)
  })
})

describe('what the real account does meanwhile', () => {
  const before = real(added(CODE), shadowed(CODE))
  const follow = (stage: Stage, ...facts: Fact[]): Stage =>
    stage.add(...followed(facts, before, stage.state.account.book))

  test('saved settings hold, and the reference goes on from the rehearsal’s own trades', () => {
    const stage = new Stage().price(70_000).price(69_900)
    follow(stage, { kind: 'settingsSaved', code: CODE, settings: { ...SETTINGS, sellPercent: 5 }, at: 1 })
    expect(stage.state.account.book.stocks.get(CODE)?.settings).toEqual({
      ...SETTINGS,
      sellPercent: 5,
      lastBuyPrice: 70_000,
    })
    expect(stage.timer().timer().orders.at(-1)).toBe('S3 sell 2 @ 73500 open')
  })

  test('but for one that the person has just set', () => {
    const stage = new Stage().price(70_000).price(69_900)
    follow(stage, { kind: 'settingsSaved', code: CODE, settings: { ...SETTINGS, lastBuyPrice: 60_000 }, at: 1 })
    expect(stage.state.account.book.stocks.get(CODE)?.settings.lastBuyPrice).toBe(60_000)
  })

  test('a stop ends the buying, and lets it go on', () => {
    const stage = follow(new Stage(), { kind: 'stockStopped', code: CODE, stop: 'reduce', at: 1 })
    expect(stage.price(70_000).orders).toEqual([])
    follow(stage, { kind: 'stockStopped', code: CODE, stop: 'active', at: 2 })
    expect(stage.price(69_000).orders).toHaveLength(1)
  })

  test('real orders, fills and lots mean nothing here', () => {
    const trade = {
      id: 1,
      code: CODE,
      count: 1,
      buyPrice: 1,
      buyAmount: 1,
      boughtAt: 0,
      sellPrice: 2,
      sellAmount: 2,
      soldAt: 0,
      day: DAY,
      fee: 0,
      tax: 0,
    }
    const facts: Fact[] = [
      { kind: 'lotBought', code: CODE, lot: lot(1), at: 1 },
      { kind: 'orderFilled', orderId: 1, count: 1, amount: 1, at: 1 },
      { kind: 'lotSold', lotId: 1, trade, at: 1 },
      { kind: 'referenceMoved', code: CODE, price: 1, why: '', at: 1 },
      { kind: 'dayOpened', day: '20261117', at: 1 },
    ]
    expect(followed(facts, before, new Stage().state.account.book)).toEqual([])
  })

  test('another share from now on: it begins anew from the real book', () => {
    const stage = new Stage().price(70_000).price(69_900)
    follow(stage, { kind: 'stockThawed', code: CODE, settledOn: DAY, at: 1 })
    met(stage, real(added(CODE), shadowed(CODE)))
    expect([codes(stage), stage.lots]).toEqual([[CODE], []])
  })
})
