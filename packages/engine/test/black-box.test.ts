import { canonical, decideAgain, inputOf, parseIncident, playIncident } from '@digger/core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bookBefore, decisionOf, incidentOf, factsAfter } from '@digger/storage'
import { CODE, Exchange } from './exchange.ts'

let market: Exchange

/** One lot is bought and, after a restart, sold again. */
beforeAll(async () => {
  market = await Exchange.open()
  market.sim.setPrice(CODE, 158_000)
  await market.watch({ maxBuyPrice: 157_000 })
  await market.price(156_900)
  await market.wait(1_000)
  await market.restart()
  await market.price(157_900)
  await market.price(158_500)
  await market.wait(1_000)
})
afterAll(() => market.close())

const DAY = '20260105'

async function journal() {
  const { db } = market.database
  const facts: number[] = []
  for await (const { seq } of factsAfter(db, market.userId)) facts.push(seq)
  const decisions = await db.selectFrom('decision').selectAll().orderBy('seq').execute()
  return { facts, decisions }
}

test('every fact but the first day has its decision beside it, and each decision made again makes the same facts', async () => {
  const { db } = market.database
  const { facts, decisions } = await journal()
  // The first row of an account is its first day, which nobody decided.
  expect(decisions.flatMap(({ seq, facts: count }) => Array.from({ length: count }, (_, n) => seq + n))).toEqual(
    facts.slice(1),
  )
  for (const { seq } of decisions) {
    const one = await decisionOf(db, market.userId, seq)
    if (one?.input == null) throw new Error(`no input of row ${seq}`)
    const input = inputOf(one.input)
    const again = decideAgain(await bookBefore(db, market.userId, seq, input.loaded), input)
    expect([seq, canonical(again.facts)]).toEqual([seq, canonical(one.facts)])
  }
  // The restart read the tables again.
  expect(new Set(decisions.map(({ input }): unknown => JSON.parse(input).loaded)).size).toBe(2)
})

test('nothing a person keeps secret is in the inputs', async () => {
  const { appKey, appSecret, accountNumber, htsId } = market.credentials
  const text = (await journal()).decisions.map(({ input }) => input).join('\n')
  for (const secret of [appKey, appSecret, accountNumber, accountNumber.slice(0, 8), htsId, 'trader@example.com'])
    expect(text).not.toContain(secret)
})

test('a day becomes an incident without a name, and plays to the very same book', async () => {
  const incident = await incidentOf(market.database.db, market.userId, DAY, '0.0.0')
  const text = JSON.stringify(incident)
  expect(text).not.toContain(market.userId)
  expect(text).not.toContain('@')
  expect(market.stock).toMatchObject({ lots: [], accGainAmount: 3_200 })
  const { divergence, decided, account } = playIncident(parseIncident(text))
  expect([divergence, decided]).toEqual([null, (incident?.steps.length ?? 0) - 1])
  expect(account.book.stocks.get(CODE)).toEqual(market.stock)
  expect(await incidentOf(market.database.db, market.userId, '20260104', '0.0.0')).toBe(null)
})

test('inputs can be neither changed nor deleted', async () => {
  const { db } = market.database
  await expect(db.deleteFrom('decision').execute()).rejects.toThrow(/append-only/)
  await expect(db.updateTable('decision').set({ input: '' }).execute()).rejects.toThrow(/append-only/)
})
