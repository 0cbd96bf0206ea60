import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { restoreBackup, takeBackup } from '@digger/backup'
import { DAY_MS, type Settings } from '@digger/core'
import { openDatabase } from '@digger/database'
import { testPlace } from '@digger/database/testing'
import { CODE, Exchange } from '@digger/engine/testing'
import { verifyAccount } from '@digger/storage'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

/** A server whose machine was lost, and a backup of it in another place; time is moved by hand. */
let market: Exchange
let home: string

beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'digger-restored-'))
  market = await Exchange.open()
  await market.watch({ maxBuyPrice: 158_000 })
})
afterEach(async () => {
  await market.close()
  rmSync(home, { recursive: true, force: true })
})

const KIND = process.env['DIGGER_TEST_POSTGRES'] === undefined ? 'embedded' : 'postgres'

const takeNow = () =>
  takeBackup({ pool: market.database.pool, kind: KIND, takenAt: market.sim.clock.now() }, join(home, 'backups'))

/** The server of before is gone with its database; a new one starts on what the backup has. */
async function putBack(folder: string, laterMs = 0): Promise<void> {
  await market.restart(laterMs, async () => {
    await market.database[Symbol.asyncDispose]()
    const elsewhere = await testPlace({ empty: true })
    const place = { dataDir: elsewhere.config.DATA_DIR, databaseUrl: elsewhere.config.DATABASE_URL }
    await restoreBackup(folder, place, () => market.sim.clock.now())
    const database = await openDatabase({ ...place, trades: { shared: false, report: () => undefined } })
    market.database = {
      ...database,
      dataDir: place.dataDir,
      async [Symbol.asyncDispose]() {
        await database.close()
        await elsewhere[Symbol.asyncDispose]()
      },
    }
  })
}

const question = () => market.engine.book(market.userId).otherServer.suspected
const goOn = () => market.engine.ask(market.userId, { kind: 'dismissOtherServer' })
const resting = (side: 'buy' | 'sell') => market.taken(side).filter(({ remaining }) => remaining > 0)
const shares = (): number => market.stock?.lots.reduce((sum, lot) => sum + lot.count, 0) ?? 0
const brokerShares = (): number => market.sim.holdings(market.account).find(({ code }) => code === CODE)?.count ?? 0
const atBroker = (): number => market.taken('buy').length + market.taken('sell').length
const differences = async () => (await verifyAccount(market.database.db, market.userId)).differences

async function save(change: Partial<Settings>): Promise<void> {
  const settings = market.stock?.settings
  if (settings === undefined) throw new Error('no stock')
  await market.ask({
    kind: 'updateStock',
    code: CODE,
    version: null,
    settings: { ...settings, ...change },
    listing: null,
  })
}

/** Prices at which the rules of any book here buy and sell. */
async function tempt(): Promise<void> {
  for (const price of [150_000, 140_000, 157_000, 145_000]) {
    await market.price(price)
    await market.wait(15_000)
  }
}

/** Two shares at 156,900 won; after the backup they are sold, and two are bought again, dearer. */
async function swapAfterBackup(): Promise<string> {
  await market.price(156_900)
  await market.wait(20_000)
  const { folder } = await takeNow()
  await save({ autoBuy: false, autoSell: false })
  await market.price(158_000)
  await market.ask({ kind: 'sellAtMarket', code: CODE })
  await market.wait(20_000)
  expect(brokerShares()).toBe(0)
  await save({ maxBuyPrice: 160_000 })
  await market.price(158_500)
  await market.ask({ kind: 'marketBuy', code: CODE, amount: 320_000 })
  await market.wait(20_000)
  expect([shares(), brokerShares()]).toEqual([2, 2])
  return folder
}

describe('a copy that was put back', { timeout: 120_000 }, () => {
  test('of a moment ago sends nothing before both have agreed, and then trades on, nothing twice', async () => {
    await market.price(156_900)
    await market.wait(20_000)
    const { folder } = await takeNow()
    const [before, resting] = [atBroker(), market.orders.filter(({ status }) => status === 'open').length]
    expect([before, resting]).toEqual([2, 1])
    await putBack(folder)
    await market.wait(30_000)
    await tempt()
    expect(atBroker()).toBe(before)
    expect([market.engine.serverStop(), market.engine.serverStopReason()]).toEqual([
      'halt',
      expect.stringMatching(/^백업에서 되살린 사본/),
    ])
    // An administrator lets the server go on; the account still asks its person.
    await market.engine.setServerStop('active')
    await tempt()
    expect(atBroker()).toBe(before)
    expect(question()?.text).toMatch(/백업에서 되살린 장부입니다/)
    await goOn()
    await market.price(150_000)
    await market.wait(30_000)
    expect(market.taken('buy')).toHaveLength(2)
    expect(market.taken('sell')).toHaveLength(2)
    expect([shares(), await differences()]).toEqual([brokerShares(), []])
  })

  test('of an hour ago: what rests, was bought and was sold since is offered as a correction, and nothing is done twice', async () => {
    await market.price(156_900)
    await market.wait(20_000)
    const { folder } = await takeNow()
    await market.wait(600_000)
    // Two more lots are bought, the sales of all rest; the first one is sold.
    for (const price of [155_000, 153_000]) {
      await market.price(price)
      await market.wait(600_000)
    }
    await market.price(154_700)
    await market.wait(1_800_000)
    const before = atBroker()
    const restingSales = resting('sell')
    expect(market.taken('buy')).toHaveLength(3)
    expect(restingSales.length).toBeGreaterThan(0)
    const atEnd = brokerShares()

    await putBack(folder)
    await market.engine.setServerStop('active')
    expect(shares()).not.toBe(atEnd)
    await market.wait(60_000)
    expect(market.stock?.blocked).toMatchObject({ code: 'mismatch', short: true })
    await tempt()
    expect(atBroker()).toBe(before)
    await goOn()
    // The stock differs, so whoever agreed has not agreed to that.
    await market.wait(900_000)
    await tempt()
    expect(atBroker()).toBe(before)

    await market.ask({ kind: 'fixBalance', code: CODE })
    expect([market.stock?.blocked, shares()]).toEqual([null, brokerShares()])
    await market.wait(60_000)
    // Beside the sales that rest since the backup none of the same stock is offered again.
    expect(atBroker()).toBe(before)
    // The next step is bought, once.
    await market.price(130_000)
    await market.wait(30_000)
    expect(market.taken('buy')).toHaveLength(4)
    expect(await differences()).toEqual([])
  })

  test.each([
    ['of the day before', DAY_MS],
    ['of the same day', 1_800_000],
  ])('%s: as many shares that cost more are not sold for what the sold ones cost', async (_, laterMs) => {
    const folder = await swapAfterBackup()
    await market.wait(60_000)
    const before = atBroker()
    await putBack(folder, laterMs)
    await market.engine.setServerStop('active')
    await market.wait(60_000)
    expect([shares(), brokerShares()]).toEqual([2, 2])
    expect(market.stock?.blocked).toMatchObject({ code: 'mismatch', short: true, untilCorrected: true })
    expect(market.stock?.blocked?.text).toContain('(장부 2주 평균 156,900원, 증권사 2주 평균 158,500원)')
    await market.wait(660_000)
    await goOn()
    expect(question()).toBe(null)
    // The book would sell at 158,500 what cost as much.
    await market.price(158_600)
    await market.wait(900_000)
    await tempt()
    expect(atBroker()).toBe(before)
    // Nobody agrees to it together with all other stocks.
    await expect(market.ask({ kind: 'fixBalance', code: null })).rejects.toThrow(/평균 단가가 장부보다 높아/)

    // The shares leave the book and come back at what the broker says that they cost.
    await market.ask({ kind: 'keepShares', code: CODE, count: 2 })
    await market.wait(20_000)
    await market.ask({ kind: 'fixBalance', code: CODE })
    await market.ask({ kind: 'keepShares', code: CODE, count: 0 })
    await market.wait(20_000)
    await market.ask({ kind: 'fixBalance', code: CODE })
    expect(market.stock?.blocked).toBe(null)
    expect(market.stock?.lots).toMatchObject([{ count: 2, buyPrice: 158_500, takenOver: true }])
    expect(await differences()).toEqual([])
  })
})
