import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { restoreBackup, takeBackup } from '@digger/backup'
import { openDatabase } from '@digger/database'
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

const takeNow = () =>
  takeBackup({ pool: market.database.pool, kind: 'embedded', takenAt: market.sim.clock.now() }, join(home, 'backups'))

/** The server of before is gone with its database; a new one starts on what the backup has. */
async function putBack(folder: string): Promise<void> {
  await market.restart(0, async () => {
    await market.database[Symbol.asyncDispose]()
    const dataDir = join(home, 'elsewhere')
    await restoreBackup(folder, { dataDir, databaseUrl: undefined }, () => market.sim.clock.now())
    const database = await openDatabase({ dataDir, trades: { shared: false, report: () => undefined } })
    const close = () => database.close()
    market.database = { ...database, dataDir, close, [Symbol.asyncDispose]: close }
  })
}

const question = () => market.engine.book(market.userId).otherServer.suspected
const goOn = () => market.engine.ask(market.userId, { kind: 'dismissOtherServer' })
const resting = (side: 'buy' | 'sell') => market.taken(side).filter(({ remaining }) => remaining > 0)
const shares = (): number => market.stock?.lots.reduce((sum, lot) => sum + lot.count, 0) ?? 0
const brokerShares = (): number => market.sim.holdings(market.account).find(({ code }) => code === CODE)?.count ?? 0
const atBroker = (): number => market.taken('buy').length + market.taken('sell').length
const differences = async () => (await verifyAccount(market.database.db, market.userId)).differences

/** Prices at which the rules of any book here buy and sell. */
async function tempt(): Promise<void> {
  for (const price of [150_000, 140_000, 157_000, 145_000]) {
    await market.price(price)
    await market.wait(15_000)
  }
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
})
