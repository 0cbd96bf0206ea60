import type { Trade } from '@digger/contract'
import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { read } from '../../api/read.ts'
import { ask } from '../../ask/ask.ts'
import { draftOf, newStock, settingsOf, type Draft } from './draft.ts'
import { waitingTexts } from './Preview.tsx'
import { saveStock } from './saveStock.ts'
import { doneAtOnce, warningsOf, warningText } from './warnings.ts'

const DAY = '20261116'
const stock = {
  ...newStock('u1', '005930'),
  price: 69_000,
  maxBuyPrice: 75_000,
  lastBuyPrice: 70_000,
  remainCount: 12,
  remainAmount: 740_000,
  version: 3,
}
const trade = (change: Partial<Trade>): Trade => ({
  id: 1,
  buyDateTime: '2026-11-10T10:00:00+09:00',
  buyCount: 10,
  buyPrice: 60_000,
  sellDateTime: null,
  sellPrice: null,
  gainAmount: null,
  gainRatio: null,
  netGainAmount: null,
  buying: false,
  takenOver: false,
  sellOrderId: null,
  targetPrice: null,
  ...change,
})
const TRADES = [trade({}), trade({ id: 2, buyCount: 2, buyPrice: 70_000 })]

const settings = (change: Partial<Draft>) => {
  const read = settingsOf({ ...draftOf(stock), ...change })
  if (read === null) throw new Error('no settings')
  return read
}

describe('shares that would be sold in the next second', () => {
  test.each<[string, readonly Trade[], number]>([
    ['those whose target the price has reached', TRADES, 10],
    ['not those that are still being bought', [trade({ buying: true })], 0],
    ['nor those that a correction brought', [trade({ takenOver: true })], 0],
    ['nor those sold already', [trade({ sellDateTime: '2026-11-11T10:00:00+09:00' })], 0],
  ])('%s', (_, trades, count) => {
    expect(doneAtOnce(warningsOf(stock, settings({ autoSell: true }), trades, DAY), 'sellsAtOnce')).toBe(count)
  })

  test('without a price nobody knows', () =>
    expect(
      doneAtOnce(warningsOf({ ...stock, price: null }, settings({ autoSell: true }), TRADES, DAY), 'sellsAtOnce'),
    ).toBe(0))
})

const text = (code: Parameters<typeof warningText>[0]['code'], value: number, isOn = false) =>
  warningText({ code, value }, isOn)

test('every warning has its sentence with its numbers', () => {
  expect(text('losingTarget', 0.24)).toContain('0.24%보다 높게')
  expect(text('unitAboveCap', 10_000_000)).toContain('10,000,000원까지')
  expect(text('floorAboveBuys', 90_000)).toContain('최저 매도가 90,000원')
  expect(text('buysAtOnce', 3)).toContain('3주를 바로 삽니다')
  expect(text('sellsAtOnce', 1_000)).toBe('지금 켜면 1,000주가 바로 팔립니다.')
  expect(text('sellsAtOnce', 10, true)).toBe('지금 저장하면 10주가 바로 팔립니다.')
})

describe('what people expect otherwise of a ladder', () => {
  const on = { autoBuy: true, buyUnitPrice: '200,000', maxBuyAmount: '10,000,000' }
  const GAP = '다시 오르는 길에는 건너뛴 단계를 사지 않습니다.'
  test('how far it waits, and that a skipped step is not bought on the way up', () => {
    const [waits, gap] = waitingTexts(settings({ ...on, recoverLastBuyPrice: true }), { kind: 'stock', price: 70_500 })
    expect(waits).toBe('기준가 70,000원 아래 69,300원까지 기다립니다.')
    expect(gap).toContain(GAP)
  })
  test('without REC the reference is there for good', () => {
    const [waits] = waitingTexts(settings({ ...on, recoverLastBuyPrice: false }), { kind: 'stock', price: null })
    expect(waits).toContain('69,300원까지 기다립니다. 모두 판 뒤에도 기준가는 그대로라')
  })
  test.each([
    ['without a reference it waits for nothing', { ...on, lastBuyPrice: '' }, 70_500, 1],
    ['nor at its price', on, 69_300, 1],
    ['off', { ...on, autoBuy: false }, 70_500, 0],
  ])('%s', (_, change, price, count) =>
    expect(waitingTexts(settings(change), { kind: 'stock', price })).toHaveLength(count),
  )
})

describe('saving what sells at once', () => {
  const fetch = vi.fn<(url: string, init?: RequestInit) => Promise<Response>>()
  const confirm = vi.spyOn(ask, 'confirm')
  let client: QueryClient
  beforeEach(() => {
    vi.stubGlobal('fetch', fetch)
    vi.stubGlobal('window', Object.assign(new EventTarget(), { dispatchEvent: () => true }))
    fetch.mockImplementation(async () => Response.json({ ...stock, version: 4 }))
    const params = { userId: 'u1', code: '005930' }
    client = new QueryClient({ defaultOptions: { queries: { staleTime: 60_000 } } })
    client.setQueryData(read('trades', { params, query: { withOldTrade: 'false' } }).queryKey, TRADES)
    client.setQueryData(read('stock', { params, query: { withSavedGain: 'true' } }).queryKey, stock)
  })
  afterEach(() => {
    vi.unstubAllGlobals()
    fetch.mockReset()
    confirm.mockReset()
  })

  test('is asked, with the number, and not done without a yes', async () => {
    confirm.mockResolvedValue(false)
    expect(await saveStock(client, stock, { autoSell: true })).toBe(null)
    expect(confirm).toHaveBeenCalledWith('지금 켜면 10주가 바로 팔립니다.', expect.objectContaining({ danger: true }))
    expect(fetch).not.toHaveBeenCalled()
  })

  test('is done after a yes', async () => {
    confirm.mockResolvedValue(true)
    expect(await saveStock(client, stock, { autoSell: true })).toMatchObject({ version: 4 })
  })

  test.each<[string, Partial<typeof stock>, Partial<Draft>]>([
    ['a target above the price', {}, { autoSell: true, sellPercent: '20' }],
    ['what is sold already as it is', { autoSell: true }, { sellPercent: '1.1' }],
    ['turning it off', { autoSell: true }, { autoSell: false }],
    ['other settings', { autoSell: true }, { maxBuyPrice: '80,000' }],
    ['nothing held', { remainCount: 0 }, { autoSell: true }],
  ])('nobody is asked: %s', async (_, change, draft) => {
    expect(await saveStock(client, { ...stock, ...change }, draft)).toMatchObject({ version: 4 })
    expect(confirm).not.toHaveBeenCalled()
  })

  test('is asked where a lower target sells more', async () => {
    confirm.mockResolvedValue(false)
    await saveStock(client, { ...stock, autoSell: true, sellPercent: 20 }, { sellPercent: '1.2' })
    expect(confirm).toHaveBeenCalledWith('지금 저장하면 10주가 바로 팔립니다.', expect.anything())
  })
})
