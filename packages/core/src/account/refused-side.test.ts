import { describe, expect, test } from 'vitest'
import { CODE, Desk } from '../../test/desk.ts'
import { outlook } from './outlook.ts'
import type { RefusalCause } from './refusal-cause.ts'

const WORDS = '주문가능금액을 초과 했습니다'
/** A lot bought at 70,000, whose target is 70,900, and a next buy at 69,300. */
function ladder(): Desk {
  const desk = new Desk()
  desk.env = 'real'
  return desk
    .hold([1, 2, 70_000])
    .putFacts({ kind: 'referenceMoved', code: CODE, price: 70_000, why: '', at: desk.now })
}

/** Asks for a buy at 69,000 and refuses it; false when none was sent. */
function refuseBuy(desk: Desk, cause: RefusalCause, text = WORDS): boolean {
  const asked = desk.price(69_000).account.view.cash.askedAt !== null
  const [id] = desk.sent.length === 0 && asked ? desk.cash(1_000).sent : desk.sent
  if (id === undefined) return false
  expect(desk.order(id).side).toBe('buy')
  desk.do({ kind: 'refused', orderId: id, text, cause })
  return true
}

/** Refuses every buy and every sell that leaves. */
function refuseSells(desk: Desk, cause: RefusalCause, text = WORDS): number {
  const { sent } = desk.timer()
  for (const orderId of sent) desk.do({ kind: 'refused', orderId, text, cause })
  return sent.length
}

/** Three buys that leave one after the other are refused for what lies in them. */
function stopped(): Desk {
  const desk = ladder()
  for (let wave = 1; wave <= 3; wave++) expect(refuseBuy(desk.wait(5_000), 'order', '투자경고종목입니다.')).toBe(true)
  return desk
}

const texts = (desk: Desk): string[] => outlook(desk.account, desk.ctx, CODE).reasons.map(({ text }) => text)
const restingSells = (desk: Desk): number => desk.orders.filter((text) => /sell .*(intended|open)/.test(text)).length

describe('buys refused for money', () => {
  test('never stop the stock, and the lot is offered all the same', () => {
    const desk = ladder()
    let refused = 0
    for (let minute = 0; minute < 240; minute++) if (refuseBuy(desk.wait(60_000), 'money')) refused += 1
    expect(refused).toBeGreaterThan(10)
    expect(refused).toBeLessThan(40)
    expect([desk.stock.blocked, desk.stock.rejects]).toEqual([null, 0])
    expect(restingSells(desk)).toBe(1)
  })

  test('a lot that is bought while buys wait rests at once', () => {
    const desk = ladder()
    refuseBuy(desk, 'money')
    desk.hold([2, 2, 69_300]).timer()
    expect(desk.sent.map((id) => desk.order(id).side)).toEqual(['sell'])
  })

  test('cash is asked anew before the next try, however young the last answer', () => {
    const desk = ladder()
    refuseBuy(desk, 'money')
    expect(desk.account.view.cash.answer).toBe(null)
  })

  test('the card says it in the broker’s words, and when the next try is', () => {
    const desk = ladder()
    refuseBuy(desk, 'money')
    expect(texts(desk.wait(1_000).quote(69_000))).toContain(
      `증권사가 살 돈이 모자란다고 했습니다(‘${WORDS}’). 10:01에 다시 냅니다.`,
    )
  })
})

describe('sells refused for shares', () => {
  test('never stop the stock, buys go on, and the holdings are compared', () => {
    const desk = ladder().wait(5_000).quote(72_000)
    expect(refuseSells(desk, 'shares', '주문 가능한 수량을 초과 하였습니다.')).toBe(1)
    expect(desk.effects).toContainEqual(expect.objectContaining({ kind: 'readLists', compare: true }))
    expect(refuseBuy(desk, 'money')).toBe(true)
    let waves = 0
    for (let minute = 0; minute < 240; minute++) if (refuseSells(desk.wait(60_000), 'shares') > 0) waves += 1
    expect(waves).toBeGreaterThan(10)
    expect([desk.stock.blocked, desk.stock.rejects]).toEqual([null, 0])
  })
})

describe('three buys refused for the order itself', () => {
  test('stop the buys only, in words: targets go on resting', () => {
    const desk = stopped()
    expect(desk.stock.blocked).toMatchObject({ code: 'rejects', buysOnly: true })
    expect(desk.stock.blocked?.text).toMatch(/매수를 멈췄습니다.*투자경고종목입니다/)
    expect(refuseBuy(desk.wait(60_000), 'order')).toBe(false)
    desk.hold([2, 2, 69_300]).wait(5_000).timer()
    expect(desk.sent.map((id) => desk.order(id).side)).toContain('sell')
  })

  test('a sell that is refused, too, stops both sides', () => {
    const desk = stopped()
    desk.hold([2, 2, 69_300]).wait(5_000).timer()
    for (const orderId of desk.sent) desk.do({ kind: 'refused', orderId, text: WORDS, cause: 'order' })
    expect(desk.stock.blocked).toMatchObject({ code: 'rejects', buysOnly: false })
    desk.wait(60_000).timer()
    expect(desk.sent).toEqual([])
  })

  test('where the broker shows fewer shares, nothing is sold: at once, and in the words of that stop when it is sure', () => {
    const desk = stopped()
    for (const orderId of desk.sent) desk.do({ kind: 'refused', orderId, text: WORDS, cause: 'shares' })
    const seen = (ms: number) =>
      desk
        .wait(ms)
        .read([], [[1, 70_000]])
        .timer()
    seen(11_000)
    desk.hold([2, 2, 69_300]).wait(1_000).timer()
    expect(desk.sent).toEqual([])
    seen(11_000)
    seen(11_000)
    expect(desk.stock.blocked).toMatchObject({ code: 'mismatch', short: true })
  })

  test.each([
    ['orders that a person has to tell apart', { code: 'ambiguous', short: false }],
    ['shares that are missing', { code: 'mismatch', short: true }],
  ] as const)('take the place of no stop for %s', (_, stop) => {
    const desk = ladder()
    for (let wave = 1; wave <= 2; wave++) refuseBuy(desk.wait(5_000), 'order')
    const { effects, sent } = desk.wait(5_000).price(69_000)
    const asked = effects.some((effect) => effect.kind === 'askCash')
    const [id] = sent.length === 0 && asked ? desk.cash(1_000).sent : sent
    expect(desk.order(id ?? 0).side).toBe('buy')
    const blocked = { ...stop, text: '먼저 멈춘 까닭', at: desk.now }
    desk.putFacts({ kind: 'stockBlocked', code: CODE, blocked, at: desk.now })
    desk.do({ kind: 'refused', orderId: id ?? 0, text: '투자경고종목입니다.', cause: 'order' })
    expect([desk.stock.rejects, desk.stock.blocked]).toEqual([3, blocked])
    desk.hold([2, 2, 69_300]).wait(6_000).timer()
    expect(desk.sent).toEqual([])
  })

  test('a buy that was on its way when the stock stopped whole does not free its sells by being refused, too', () => {
    const desk = ladder()
    for (let wave = 1; wave <= 2; wave++) expect(refuseSells(desk.wait(5_000), 'order')).toBe(1)
    const [buy = 0] = desk.wait(5_000).buyAt(69_000).sent
    expect(desk.order(buy).side).toBe('buy')
    expect(refuseSells(desk, 'order', '투자경고종목입니다.')).toBe(1)
    expect(desk.stock.blocked).toMatchObject({ code: 'rejects', buysOnly: false })
    desk.do({ kind: 'refused', orderId: buy, text: '투자경고종목입니다.', cause: 'order' })
    expect(desk.stock.blocked).toMatchObject({ code: 'rejects', buysOnly: false })
    expect(desk.wait(60_000).timer().sent).toEqual([])
  })

  test('a person’s refused sale does not free the sells of a stock that has stopped whole', () => {
    const desk = new Desk({ autoBuy: false })
    desk.env = 'real'
    desk.hold([1, 2, 70_000]).quote(69_000)
    for (let wave = 1; wave <= 3; wave++) refuseSells(desk.wait(5_000), 'order')
    expect(desk.stock.blocked).toMatchObject({ code: 'rejects', buysOnly: false })
    desk.ask({ kind: 'sellTrade', code: CODE, tradeId: 1, how: 'market' })
    expect(desk.sent).toHaveLength(1)
    for (const orderId of desk.sent) desk.do({ kind: 'refused', orderId, text: '다른 까닭', cause: 'order' })
    expect(desk.stock.blocked).toMatchObject({ buysOnly: false })
  })
})

test('words that nobody sorted are on the card while the stock pauses', () => {
  const desk = ladder()
  refuseBuy(desk, 'order', '처음 보는 말입니다.')
  expect(texts(desk.quote(69_000)).join('\n')).toContain('‘처음 보는 말입니다’')
})

/** A difference is seen, believed, and gone again. */
function overAgain(desk: Desk): Desk {
  for (const count of [3, 3, 3, 2]) {
    const orders = [...desk.timer().account.book.orders.values()]
    for (const { id, status } of orders) if (status === 'intended') desk.accept(id)
    const rows = orders.filter(({ side }) => side === 'sell').map(({ id }) => desk.row(id))
    desk.wait(11_000).read(rows, [[count, 70_000]])
  }
  return desk
}

describe('a difference in shares that took the place of a stop of the buys', () => {
  test('leaves one try when it is over, as the next day does: one more refusal stops the buys again', () => {
    const desk = overAgain(stopped())
    expect(desk.journal).toContainEqual(
      expect.objectContaining({ blocked: expect.objectContaining({ code: 'mismatch' }) }),
    )
    expect(desk.stock.blocked).toBe(null)
    const [orderId = 0] = desk.wait(5_000).price(69_000).cash(1_000).sent
    expect(desk.order(orderId).side).toBe('buy')
    desk.do({ kind: 'refused', orderId, text: '투자경고종목입니다.', cause: 'order' })
    expect(desk.stock.blocked).toMatchObject({ code: 'rejects', buysOnly: true })
  })
})
