import { Exchange } from '@digger/engine/testing'
import { Client } from 'pg'
import { afterEach, expect, test, vi } from 'vitest'
import { Notified } from './notified.ts'

afterEach(() => vi.restoreAllMocks())

/** Asked by clocks about once a second, whatever is traded: the right to trade, who else is there, the stop and the watcher. */
const BY_THE_CLOCK = [
  /^select 1$/,
  /^update "engine_holder" /,
  /^select "looks", "trouble" from "watcher"$/,
  /^select "value", "why", "version" from "server_setting" /,
]
const isByTheClock = (statement: string): boolean => BY_THE_CLOCK.some((one) => one.test(statement))

/** What is sent to the database while `work` runs, in its order: names of prepared statements, or the beginning of the text. */
async function statementsOf(work: () => Promise<void>): Promise<string[]> {
  const sent: string[] = []
  const query = vi.spyOn(Client.prototype, 'query')
  await work()
  for (const [asked] of query.mock.calls as unknown[][]) sent.push(nameOf(asked))
  query.mockRestore()
  return sent.filter((statement) => !isByTheClock(statement))
}

function nameOf(asked: unknown): string {
  if (typeof asked === 'string') return asked.trim().slice(0, 60)
  if (typeof asked !== 'object' || asked === null) return typeof asked
  if ('name' in asked && typeof asked.name === 'string') return asked.name
  return 'text' in asked && typeof asked.text === 'string' ? asked.text.trim().slice(0, 60) : 'unnamed'
}

/** From a price to the resting sale of what it bought: three orders' worth of commits. */
async function buyAndOffer(market: Exchange): Promise<string[]> {
  await market.watch({ maxBuyPrice: 157_000 })
  const statements = await statementsOf(() => market.price(156_900))
  expect(market.stock?.lots).toHaveLength(1)
  return statements
}

test('an order is written by the same statements whether or not its person is told: not one more', async () => {
  const alone = await Exchange.open()
  const without = await buyAndOffer(alone)
  await alone.close()
  expect(without.filter((name) => name.startsWith('write'))).not.toEqual([])

  const one = await Notified.open()
  try {
    expect(await buyAndOffer(one.market)).toEqual(without)
    // Afterwards, when the order is long on its way, there is something to tell.
    const later = await statementsOf(() => one.pass(10_000))
    expect(later.filter((text) => /notification/.test(text)).length).toBeGreaterThan(0)
    expect(one.texts).toEqual([expect.stringContaining('2주를 샀습니다')])
  } finally {
    await one.close()
  }
}, 60_000)
