import { beforeEach, expect, test } from 'vitest'
import { codeOf, FeedFixture, quote, turn } from '../test/feed-fixture.ts'

let fixture: FeedFixture
beforeEach(() => {
  fixture = new FeedFixture(4)
})

test('the day’s limits are read once a day for each stock, and again on the next', async () => {
  const codes = [1, 2, 3, 4].map(codeOf)
  expect(await fixture.seconds(60)).toEqual(codes)
  expect(fixture.prices.quote(codeOf(4))).toMatchObject({ band: { lower: 49_000, upper: 91_000 }, live: false })
  fixture.clock.advance(86_400_000)
  expect(await fixture.seconds(60)).toEqual(codes)
  expect(fixture.problems).toEqual([])
})

test('stocks that the socket carries are not polled; the others in turn, one a second, and only while it is connected', async () => {
  fixture.socket.watched.add(codeOf(1)).add(codeOf(3))
  await fixture.seconds(2)
  expect(await fixture.seconds(5)).toEqual([])
  fixture.socket.state = 'connected'
  const polled = await fixture.seconds(6)
  expect(polled).toHaveLength(6)
  expect(polled.filter((code) => code === codeOf(2))).toHaveLength(3)
  expect(polled.filter((code) => code === codeOf(4))).toHaveLength(3)
})

test('a grown volume is a trade; the same one, a shrunk one and the first one are none', async () => {
  fixture = new FeedFixture(1)
  const code = codeOf(1)
  let woken = 0
  fixture.prices.setTrigger({ wake: () => void (woken += 1) }, code, 80_000)
  await fixture.seconds(1)
  fixture.socket.state = 'connected'
  const polled = async (volume: number, price: number): Promise<unknown> => {
    fixture.answers.set(code, quote(code, { volume, price, halted: volume === 103 }))
    await fixture.seconds(1)
    const { price: last, live } = fixture.prices.quote(code) ?? {}
    return [last, live, woken]
  }
  expect(await polled(100, 60_000)).toEqual([70_000, false, 0])
  expect(await polled(100, 60_001)).toEqual([70_000, false, 0])
  // The first trade re-bases.
  expect(await polled(101, 60_002)).toEqual([60_002, false, 0])
  expect(await polled(102, 60_003)).toEqual([60_003, true, 1])
  expect(await polled(5, 60_004)).toEqual([60_003, true, 1])
  expect(await polled(6, 60_005)).toEqual([60_005, true, 2])
  expect(await polled(103, 60_006)).toEqual([60_006, true, 3])
  expect(fixture.prices.quote(code)?.halted).toBe(true)
})

test('a question that fails is reported and asked again', async () => {
  const code = codeOf(2)
  fixture.answers.set(code, new Error('no quote'))
  await fixture.seconds(3)
  expect(fixture.problems.length).toBeGreaterThan(0)
  expect(fixture.prices.quote(code)).toBe(undefined)
  fixture.answers.delete(code)
  await fixture.seconds(3)
  expect(fixture.prices.quote(code)?.band).not.toBe(null)
})

test('never more than three questions are out, however slow the answers, and none twice', async () => {
  fixture = new FeedFixture(50)
  await fixture.seconds(20)
  fixture.socket.state = 'connected'
  const held = Promise.withResolvers<void>()
  fixture.hold = held.promise
  expect(fixture.feed.busy).toBe(false)
  const asked = await fixture.seconds(30)
  expect([asked.length, new Set(asked).size, fixture.feed.busy]).toEqual([3, 3, true])
  held.resolve()
  await turn()
  expect([fixture.most, fixture.feed.busy]).toEqual([3, false])
})

test.each<[string, null | Error]>([
  ['the broker knows nothing of', null],
  ['the broker fails to answer for', new Error('no quote')],
])('stocks that %s keep neither the limits nor the prices of the others waiting', async (_name, answer) => {
  fixture = new FeedFixture(10)
  for (let n = 1; n <= 6; n += 1) fixture.answers.set(codeOf(n), answer)
  fixture.socket.state = 'connected'
  await fixture.seconds(30)
  for (let n = 7; n <= 10; n += 1)
    expect(fixture.prices.quote(codeOf(n))?.band).toEqual({ lower: 49_000, upper: 91_000 })
  // Two trades of an unwatched stock: the second one wakes whoever waits for it.
  let woken = 0
  fixture.prices.setTrigger({ wake: () => void (woken += 1) }, codeOf(9), 80_000)
  for (const volume of [1, 2, 3]) {
    fixture.answers.set(codeOf(9), quote(codeOf(9), { volume }))
    await fixture.seconds(30)
  }
  expect(woken).toBeGreaterThan(0)
  // And they are asked again, in turn, until they have an answer.
  fixture.answers.set(codeOf(6), quote(codeOf(6)))
  await fixture.seconds(30)
  expect(fixture.prices.quote(codeOf(6))?.price).toBe(70_000)
})

test.each<[string, null | Error]>([
  ['the broker knows no price of', null],
  ['the broker fails to answer for', new Error('no quote')],
])('a stock that %s is asked for ever less often, at least twice a minute', async (_name, answer) => {
  fixture = new FeedFixture(2)
  fixture.socket.state = 'connected'
  fixture.socket.watched.add(codeOf(2))
  fixture.answers.set(codeOf(1), answer)
  const perMinute: number[] = []
  for (let n = 0; n < 5; n += 1) perMinute.push((await fixture.seconds(60)).filter((code) => code === codeOf(1)).length)
  // After 1, 2, 4, 8, 16 and then 30 seconds: instead of 60 a minute.
  expect(perMinute).toEqual([6, 2, 2, 2, 2])
  fixture.answers.delete(codeOf(1))
  await fixture.seconds(31)
  expect(fixture.prices.quote(codeOf(1))?.price).toBe(70_000)
})

test('an answer ends the waits: the next failure begins anew', async () => {
  fixture = new FeedFixture(1)
  fixture.socket.state = 'connected'
  fixture.answers.set(codeOf(1), null)
  await fixture.seconds(60)
  fixture.answers.delete(codeOf(1))
  await fixture.seconds(40)
  fixture.answers.set(codeOf(1), null)
  expect(await fixture.seconds(6)).toHaveLength(3)
})

test('a clock that is set back keeps no stock waiting for the hours in between', async () => {
  fixture = new FeedFixture(1)
  fixture.answers.set(codeOf(1), null)
  await fixture.seconds(10)
  fixture.clock.advance(-3 * 3_600_000)
  expect((await fixture.seconds(1)).length).toBe(1)
})

test('the socket is asked for what has something at stake, what may be bought next first', () => {
  const stock = (n: number) => fixture.book.stocks.get(codeOf(n))
  const [a, b, c, d] = [stock(1), stock(2), stock(3), stock(4)]
  if (a === undefined || b === undefined || c === undefined || d === undefined) throw new Error('four stocks')
  const lot = {
    id: 1,
    count: 1,
    buyPrice: 1,
    buyAmount: 1,
    boughtAt: 0,
    buyOrderId: null,
    heldBack: false,
    takenOver: false,
  }
  const stocks = [
    { ...a, nextBuyPrice: null, priceSubscribed: true },
    { ...b, nextBuyPrice: null, priceSubscribed: false },
    { ...c, nextBuyPrice: null, priceSubscribed: false, lots: [lot] },
    { ...d, nextBuyPrice: 1, priceSubscribed: false },
  ]
  fixture.feed.arrange({ ...fixture.book, stocks: new Map(stocks.map((one) => [one.issue.code, one])) })
  expect(fixture.socket.wanted).toEqual([[codeOf(4), codeOf(3), codeOf(1)]])
})
