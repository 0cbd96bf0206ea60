import { kstInstant } from '@digger/core'
import { expect, test } from 'vitest'
import { codeOf, FeedFixture, opening, quote } from '../test/feed-fixture.ts'

const CODE = codeOf(1)
const shown = (one: FeedFixture) => one.all.statusesOf(CODE).statuses

test('a designation is read with the day’s limits, before anything can be bought, and stands in every venue’s quote', async () => {
  const one = new FeedFixture(1)
  one.answers.set(CODE, quote(CODE, { statuses: ['warning'] }))
  expect(one.all.of('KRX').quote(CODE)?.band ?? null).toBeNull()
  await one.seconds(2)
  for (const market of ['KRX', 'NXT', 'UN'] as const) {
    const { band, statuses } = one.all.of(market).quote(CODE) ?? {}
    expect([market, statuses, band]).toEqual([market, ['warning'], { lower: 49_000, upper: 91_000 }])
  }
  expect(one.designated).toEqual([CODE])
})

test('the end of a designation is read the next morning; until then yesterday’s stands', async () => {
  const one = opening('20261120', 90_100)
  one.answers.set(CODE, quote(CODE, { statuses: ['risk'] }))
  await one.seconds(2)
  one.clock.advance(kstInstant('20261123', 30_000) - one.clock.now())
  one.answers.set(CODE, quote(CODE))
  await one.seconds(1)
  expect(shown(one)).toEqual(['risk'])
  one.clock.advance(kstInstant('20261123', 85_930) - one.clock.now())
  await one.seconds(2)
  expect(shown(one)).toEqual([])
  expect(one.all.of('KRX').quote(CODE)?.statuses).toBeUndefined()
})

test('what only a poll tells of a stock without a registration is taken over too', async () => {
  const one = new FeedFixture(1)
  await one.seconds(3)
  expect(shown(one)).toEqual([])
  one.socket.state = 'connected'
  one.answers.set(CODE, quote(CODE, { statuses: ['administrative'] }))
  await one.seconds(3)
  expect(shown(one)).toEqual(['administrative'])
})

test('another venue’s reply says nothing of a designation', async () => {
  const one = new FeedFixture(1)
  one.market = 'NXT'
  one.answer = (code, market) => quote(code, { statuses: market === 'KRX' ? ['warning'] : [] })
  await one.seconds(4)
  expect(shown(one)).toEqual(['warning'])
})

test('a broker that knows no such code changes nothing of what is known', async () => {
  const one = new FeedFixture(1)
  one.answers.set(CODE, quote(CODE, { statuses: ['warning'] }))
  await one.seconds(2)
  one.answers.set(CODE, null)
  one.feed.readAgain(CODE)
  await one.seconds(3)
  expect(shown(one)).toEqual(['warning'])
})
