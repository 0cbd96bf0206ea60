import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { calls, paths, type Call, type CallName } from './calls.ts'
import { ErrorCode, Problem, STATUS_OF } from './problem.ts'
import { LimitName } from './limits.ts'
import { ADMIN_SEGMENT, HINT_COOKIES } from './paths.ts'
import { Refused } from './refused.ts'

interface Entry {
  name: string
  call: Call
  method: string
  path: string
}
/** The names of an object, by its type. */
function keysOf<T extends object>(of: T): Extract<keyof T, string>[] {
  const keys: Extract<keyof T, string>[] = []
  for (const key in of) keys.push(key)
  return keys
}
const entryOf = (name: CallName): Entry => {
  const [method, path] = paths[name]
  return { name, call: calls[name], method, path }
}
const ENTRIES = keysOf(paths).map(entryOf)
const placesIn = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)

test('every call has a path, and every path a call', () =>
  expect(Object.keys(calls).toSorted()).toEqual(Object.keys(paths).toSorted()))

test('no two calls have the same method and path, whatever their places are called', () => {
  const addresses = ENTRIES.map(({ method, path }) => `${method} ${path.replaceAll(/\{\w+\}/g, '{}')}`)
  expect(addresses.filter((address, at) => addresses.indexOf(address) !== at)).toEqual([])
})

test('no two calls have the same summary', () => {
  const summaries = ENTRIES.map(({ call }) => call.summary)
  expect(summaries.filter((summary, at) => summaries.indexOf(summary) !== at)).toEqual([])
})

const shapeOf = ({ call }: Entry) => Object.keys(call.params?.shape ?? {}).toSorted()
const ofAdmin = ({ path }: Entry) => path.startsWith('/api/admin/')
const ofSomebody = ({ path }: Entry) => placesIn(path).includes('userId')

/** The names of the calls that break a rule. */
const breaking = (breaks: (entry: Entry) => boolean): string[] => ENTRIES.filter(breaks).map(({ name }) => name)

test('the parameters of a call are the places of its path, and none may be absent', () => {
  expect(breaking((entry) => shapeOf(entry).join() !== placesIn(entry.path).toSorted().join())).toEqual([])
  expect(breaking(({ call }) => call.params?.safeParse({}).success === true)).toEqual([])
})

test('paths are plain words and places', () =>
  expect(breaking(({ path }) => !/^\/api(\/[a-zA-Z0-9-]+|\/\{\w+\})+$/.test(path))).toEqual([]))

test('what is only read or ended has no body', () =>
  expect(breaking(({ call, method }) => (method === 'GET' || method === 'DELETE') && call.body !== undefined)).toEqual(
    [],
  ))

test('who may ask is plain from the path', () => {
  expect(breaking((entry) => ofAdmin(entry) && entry.call.access !== 'admin')).toEqual([])
  expect(breaking((entry) => entry.call.access === 'owner' && !ofSomebody(entry))).toEqual([])
  expect(breaking((entry) => entry.call.access === 'anyone' && placesIn(entry.path).length > 0)).toEqual([])
  // Somebody's key, so it must say whose.
  expect(breaking((entry) => entry.call.needsKey === true && !ofSomebody(entry))).toEqual([])
})

/** Its schemas as other programs read them. */
const written = ({ call }: Entry) => [
  ...[call.params, call.query, call.body]
    .filter((schema) => schema !== undefined)
    .map((schema) => z.toJSONSchema(schema, { io: 'input' })),
  z.toJSONSchema(call.reply),
]

test('every call can be written down for other programs and for people', () => {
  expect(breaking(({ call }) => !/[가-힣]/.test(call.summary))).toEqual([])
  expect(breaking((entry) => written(entry).some((schema) => schema.$schema === undefined))).toEqual([])
})

test('an address without a query takes the defaults, except where a parameter has none', () => {
  const demanding = ENTRIES.filter(({ call }) => call.query && !call.query.safeParse({}).success)
  expect(demanding.map(({ name }) => name)).toEqual(['sellStockAtPrice', 'saleQuote', 'buyQuote', 'importOrdered'])
})

test('an administrator’s prefix has its fixed number', () => {
  const admin = ENTRIES.filter(({ path }) => path.startsWith('/api/admin'))
  expect(admin.length).toBeGreaterThan(10)
  for (const { path } of admin) expect(path).toMatch(new RegExp(`^/api/admin/${ADMIN_SEGMENT}/`))
})

test('no two hints share a cookie', () =>
  expect(new Set(Object.values(HINT_COOKIES)).size).toBe(Object.keys(HINT_COOKIES).length))

describe('errors', () => {
  test('every code has a status that says whose fault it is', () => {
    expect(Object.keys(STATUS_OF).toSorted()).toEqual([...ErrorCode.options].toSorted())
    expect(ErrorCode.options.filter((code) => STATUS_OF[code] >= 500)).toEqual(['BROKER_UNREACHABLE', 'INTERNAL'])
    for (const code of ErrorCode.options) expect(STATUS_OF[code]).toBeGreaterThanOrEqual(400)
  })
  test('only a missing log-in is 401: a client goes to the log-in by it', () =>
    expect(ErrorCode.options.filter((code) => STATUS_OF[code] === 401)).toEqual(['LOGIN_REQUIRED']))
  test('a refusal carries what its reply says', () => {
    const refused = new Refused('STOPPED', '멈춤 상태입니다.')
    expect(refused).toBeInstanceOf(Error)
    expect(Problem.parse(refused)).toEqual({ code: 'STOPPED', message: '멈춤 상태입니다.' })
  })
})

describe('a change of limits', () => {
  const change = calls.setLimits.body
  test('accepts the limits that are shown, and no other', () => {
    expect(Object.keys(change.shape).toSorted()).toEqual([...LimitName.options].toSorted())
    expect(change.safeParse({ leverage: 2 }).success).toBe(false)
  })
  test('leaves what is absent, and takes an empty text as none', () => {
    expect(change.parse({})).toEqual({})
    expect(change.parse({ lossAmount: '', orderAmount: null, ordersPerMinute: '1,000' })).toEqual({
      lossAmount: null,
      orderAmount: null,
      ordersPerMinute: 1_000,
    })
    expect(change.safeParse({ lossAmount: '1.5' }).error?.issues[0]?.message).toBe('정수로 넣어 주세요.')
  })
})

describe('the settings of a stock', () => {
  const settings = {
    maxBuyPrice: '75,000',
    maxBuyAmount: '20,000,000',
    buyUnitPrice: 1,
    lastBuyPrice: '',
    recoverLastBuyPrice: true,
    autoBuy: false,
    buyPercent: '-1',
    autoSell: true,
    sellPercent: '1.2',
    useMinSellPrice: false,
    minSellPrice: null,
    autoSellWithAvgPrice: false,
  }
  const { body } = calls.updateStock
  test('are read as typed; what is not a setting is left out', () =>
    expect(body.parse({ ...settings, remainCount: 99, stop: 'active' })).toEqual({
      ...settings,
      maxBuyPrice: 75_000,
      maxBuyAmount: 20_000_000,
      lastBuyPrice: null,
      buyPercent: -1,
      sellPercent: 1.2,
    }))
  test('are whole: none may be missing but the version', () => {
    const without = (absent: string) => Object.fromEntries(Object.entries(settings).filter(([name]) => name !== absent))
    expect(Object.keys(settings).filter((name) => body.safeParse(without(name)).success)).toEqual([])
  })
})

const bought = (amount: unknown) => calls.marketBuy.body.safeParse({ amount }).data?.amount
test('an amount to buy at market is in units of 10,000 won, from one to 100,000', () => {
  expect(['1', '30', '100,000', 5].map(bought)).toEqual([1, 30, 100_000, 5])
  expect(['0', '-1', '100,001', '1.5', '', null, '삼십'].map(bought)).toEqual(Array.from({ length: 7 }))
})

const kept = (count: unknown) => calls.keepShares.body.safeParse({ count }).data?.count
test('shares that a person keeps are whole, none or more, and no empty field', () => {
  expect(['0', '1,000', 7, '1,000,000,000'].map(kept)).toEqual([0, 1_000, 7, 1_000_000_000])
  expect(['-1', '1.5', '', null, '열', '1,000,000,001'].map(kept)).toEqual(Array.from({ length: 6 }))
})

test('a move of the base price is settled in one of two ways, for the day that was seen', () => {
  const { body } = calls.adjustStock
  expect(body.parse({ day: '20261120', how: 'keep' })).toEqual({ day: '20261120', how: 'keep' })
  for (const wrong of [{ how: 'keep' }, { day: '20261120' }, { day: '20260231', how: 'adjust' }])
    expect(body.safeParse(wrong).success).toBe(false)
})

const firstIds = (length: number) => Array.from({ length }, (_, index) => index + 1)
const released = (tradeIds: unknown) => calls.releaseTrades.body.safeParse({ tradeIds }).success
test('trades are released by their numbers: one at least, a thousand at most', () => {
  expect([[1], [3, 4], firstIds(1_000)].map(released)).toEqual([true, true, true])
  expect([[], [0], ['1'], 1, null, firstIds(1_001)].map(released)).toEqual(Array.from({ length: 6 }, () => false))
})

const limitOf = (limit: unknown) => calls.audit.query.safeParse({ limit }).data?.limit
test('an audit log is read in pages of 1 to 200', () => {
  expect([undefined, '1', '200'].map(limitOf)).toEqual([50, 1, 200])
  expect(['0', '201', '1.5', 'all', ''].map(limitOf)).toEqual(Array.from({ length: 5 }))
})
