import { beforeEach, describe, expect, test, vi } from 'vitest'
import { timetableOf } from '../../market/market.ts'
import { bodyOf, changesOf, clashes, draftOf, newStock, resetLadder, settingsOf } from './draft.ts'
import { wrongShares } from './OwnShares.tsx'
import { ageOf } from './PriceAge.tsx'
import { reasonTitle } from '../../format/reasonTitle.ts'
import { mainReason } from './reasons.ts'
import { linkUserOf, stockMenu, targetNote } from './stockMenu.ts'

const comparing = () => expect.hasAssertions()
beforeEach(comparing)

const watched = { price: 1, priceAt: null, nxt: true, priceSubscribed: true }
const krx = timetableOf({
  hours: 'krx',
  closed: ['20261123'],
  special: [{ day: '20261119', opensAt: 36_000, closesAt: 59_400, preMarketAt: null }],
})
const stock = {
  ...newStock('u1', '005930'),
  name: '삼성전자',
  maxBuyPrice: 75_000,
  lastBuyPrice: 70_000,
  remainCount: 3,
  remainAmount: 210_000,
}

describe('the edit dialog', () => {
  test('shows numbers with separators and nothing for what is not set', () => {
    expect(draftOf(stock)).toMatchObject({
      maxBuyPrice: '75,000',
      minSellPrice: '',
      buyPercent: '-1',
      sellPercent: '1.2',
    })
  })
  test('sends the whole stock with the texts as typed', () => {
    const body = bodyOf(stock, { ...draftOf(stock), maxBuyPrice: '80,000' })
    expect(body).toMatchObject({ code: '005930', version: 0, maxBuyPrice: '80,000', lastBuyPrice: '70,000' })
  })
  test('reset forgets the last buy price and what remains', () => {
    expect(resetLadder(draftOf(stock))).toMatchObject({
      lastBuyPrice: '',
      remainCount: 0,
      remainAmount: 0,
      maxBuyPrice: '75,000',
    })
  })
  test('a save is what was changed, and clashes only where the same was changed to something else meanwhile', () => {
    const changes = changesOf(stock, { ...draftOf(stock), maxBuyPrice: '80,000', autoBuy: true })
    expect(changes).toEqual({ maxBuyPrice: '80,000', autoBuy: true })
    expect(changesOf(stock, resetLadder(draftOf(stock)))).toEqual({ lastBuyPrice: '', remainCount: 0, remainAmount: 0 })
    const traded = { ...stock, lastBuyPrice: 69_300, remainCount: 5, remainAmount: 350_000, version: 1 }
    expect(clashes(stock, traded, changes)).toEqual([])
    expect(clashes(stock, traded, { lastBuyPrice: '', remainCount: 0 })).toEqual(['lastBuyPrice'])
    expect(clashes(stock, { ...stock, maxBuyPrice: 80_000 }, changes)).toEqual([])
    expect(clashes(stock, { ...stock, maxBuyPrice: 90_000, autoBuy: true }, changes)).toEqual(['maxBuyPrice'])
  })
  test('text in a number field gives no settings to preview', () => {
    expect(settingsOf({ ...draftOf(stock), buyUnitPrice: '십만' })).toBeNull()
    expect(settingsOf(draftOf(stock))).toMatchObject({ maxBuyPrice: 75_000, buyPercent: -1, minSellPrice: null })
  })
})

describe('the card', () => {
  const tools = { path: '/user/balance', navigate: () => undefined, edit: () => undefined, refresh: () => undefined }
  test('offers others only the trade screen, administrators everything', () => {
    expect(stockMenu(stock, { admin: false, ...tools }).map(({ name }) => name)).toEqual(['매매'])
    expect(stockMenu(stock, { admin: true, ...tools }).map(({ name }) => name)).toEqual([
      '매매',
      '미체결 주문',
      '체결 내역',
      '주문 취소',
      '매도',
      '지정가 매도',
      '시장가 매도',
      '삭제',
      '종목 수정',
    ])
  })
  test('is read again after a refused sale, too: some of its orders may have been placed', async () => {
    const refused = Response.json({ code: 'BUSY', message: '20건을 냈고 5건은 내지 못했습니다.' }, { status: 409 })
    vi.stubGlobal('fetch', async () => refused)
    const refresh = vi.fn<() => void>()
    stockMenu(stock, { ...tools, admin: true, refresh })
      .find(({ name }) => name === '매도')
      ?.func()
    await vi.waitFor(() => expect(refresh).toHaveBeenCalledExactlyOnceWith(stock, false))
    vi.unstubAllGlobals()
  })
  test('links keep the current user, and lead to the owner from pages about everybody', () => {
    expect(linkUserOf('/u2/balance', 'u2')).toBe('u2')
    expect(linkUserOf('/user/stock', 'u1')).toBe('user')
    expect(linkUserOf('/user/admin/stock', 'u3')).toBe('u3')
  })
  test('says why nothing was bought before why something was', () => {
    const yes = { side: 'buy' as const, ok: true, code: 'priceReached' as const, text: 'a' }
    const no = { side: 'buy' as const, ok: false, code: 'aboveNextPrice' as const, text: 'b' }
    const sell = { side: 'sell' as const, ok: false, code: 'nothingHeld' as const, text: 'c' }
    expect(mainReason([sell, yes, no])).toBe(no)
    expect(mainReason([sell, yes])).toBe(yes)
    expect(mainReason([sell])).toBeUndefined()
    expect([yes, no, sell].map(reasonTitle)).toEqual(['왜 샀나', '왜 안 샀나', '왜 안 파나'])
  })
  test('calls a price late after a minute, and says when there is none', () => {
    const at = '2026-11-20T10:00:00+09:00'
    const seen = Date.parse(at)
    expect(ageOf({ ...watched, priceAt: at }, seen + 60_000, krx, true)).toBe('')
    expect(ageOf({ ...watched, priceAt: at }, seen + 60_001, krx, true)).toBe('체결 10:00')
    expect(ageOf({ ...watched, priceAt: at }, seen + 60_001, krx, false)).toBe('지연 10:00')
    expect(ageOf({ ...watched, priceAt: at, priceSubscribed: false }, seen + 60_001, krx, true)).toBe('지연 10:00')
    expect(ageOf({ ...watched, price: null, priceAt: null }, seen, krx, true)).toBe('시세 없음')
  })
  test.each([
    // 2026-11-20 is a Friday, the 23rd a holiday here, the 19th began an hour late.
    ['after the close of both exchanges', '2026-11-20T20:05:00+09:00', true, '장 마감 09:00'],
    ['before the first session', '2026-11-20T07:59:59+09:00', true, '장 마감 11-19 09:00'],
    ['in the opening auction of KRX', '2026-11-20T08:30:00+09:00', false, '동시호가 11-19 09:00'],
    ['the same while NXT trades', '2026-11-20T08:30:00+09:00', true, '체결 11-19 09:00'],
    ['in the closing auction', '2026-11-20T15:25:00+09:00', true, '동시호가 09:00'],
    ['on a Saturday', '2026-11-21T10:00:00+09:00', true, '장 마감 11-20 09:00'],
    ['on a holiday', '2026-11-23T10:00:00+09:00', true, '장 마감 11-22 09:00'],
    ['on a day that begins late', '2026-11-19T09:30:00+09:00', false, '동시호가 09:00'],
  ])('an old price %s', (_name, now, nxt, says) => {
    const date = says.includes('-') ? (/\d\d-\d\d/.exec(says)?.[0] ?? '') : now.slice(5, 10)
    const old = { ...watched, nxt, priceAt: `2026-${date}T09:00:00+09:00` }
    expect(ageOf(old, Date.parse(now), krx, true)).toBe(says)
  })
})

test('shares that a person keeps are a whole number, and 0 is typed', () => {
  expect(['0', '12', ' 1,000 '].map(wrongShares)).toEqual([null, null, null])
  for (const text of ['', '-1', '1.5', '열', '1주']) expect(wrongShares(text)).toContain('0 이상의 정수')
})

test.each([
  [{ remainCount: 0 }, '보유한 주식이 없습니다'],
  [{ remainCount: 3, remainAmount: 300_000, nextSellPrice: 101_200 }, '목표가 101,200원부터 매매마다 걸기'],
  [{ remainCount: 3, remainAmount: 300_000 }, '매매마다 목표가에 걸기'],
  [{ remainCount: 3, remainAmount: 300_000, autoSellWithAvgPrice: true }, '목표가 101,200원에 걸기'],
])('the plain sale says at what it rests: %j', (changes, text) =>
  expect(targetNote({ ...newStock('u1', '005930'), ...changes })).toBe(text),
)
