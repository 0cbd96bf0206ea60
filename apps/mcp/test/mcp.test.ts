import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { importCandles } from '@digger/candles'
import { Balance, StockHistory } from '@digger/contract'
import { barsOf, runOf } from '@digger/core'
import { SETTINGS } from '@digger/engine/testing'
import type { Person, ServerFixture } from '@digger/server/testing'
import { startFixture } from '@digger/server/testing/vitest'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Asked, startMcp, tokenOf } from './asked.ts'

const CODE = '005930'
/** Of November: no weekend among them. */
const DAYS = ['12', '13', '16', '17', '18', '19'] as const
const folder = mkdtempSync(join(tmpdir(), 'digger-mcp-'))

let fixture: ServerFixture
let owner: Person
let url: string
let token: string
let mcp: Asked
/** Requests that reached the server. */
let requests: string[] = []

beforeAll(async () => {
  fixture = await startFixture()
  owner = await fixture.addPerson('owner')
  fixture.giveStock(owner.userId)
  await giveTables('삼성전자')
  const rows = [70_000, 69_000, 68_300, 69_500, 71_000, 70_100].map((close, at) => {
    const prices = [close + 200, close + 900, close - 800, close].join()
    return `2026-11-${DAYS[at]},${CODE},삼성전자,KOSPI,${prices},1000,70000000`
  })
  const file = join(folder, 'days.csv')
  writeFileSync(file, ['date,code,name,market,open,high,low,close,volume,amount', ...rows].join('\n'))
  const imported = await importCandles(
    fixture.database.db,
    file,
    { prices: 'adjusted', fill: false },
    fixture.clock.now(),
  )
  if (imported.problemCount > 0) throw new Error(imported.problems.join())
  url = await fixture.app.listen({ host: '127.0.0.1', port: 0 })
  fixture.app.server.on('request', ({ method, url: path }) => requests.push(`${method} ${path}`))
  token = await tokenOf(fixture, owner)
  mcp = await startMcp({ DIGGER_URL: url, DIGGER_TOKEN: token })
}, 60_000)
afterAll(async () => {
  await mcp[Symbol.asyncDispose]()
  await fixture[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true, force: true })
})

/** What is read from the tables: the stock as histories have it, and one trade that was sold. */
async function giveTables(name: string): Promise<void> {
  const { db } = fixture.database
  await sql`
    insert into account (user_id, day, stop, next_order_id, next_lot_id, seq)
    values (${owner.userId}, '20261120', 'active', 1, 1, 0)`.execute(db)
  await sql`
    insert into stock (user_id, code, name, market, kind, nxt, settings, stop, price_subscribed, acc_gain_amount, rejects, version, updated_at, kept)
    values (${owner.userId}, ${CODE}, ${name}, 'KOSPI', 'stock', true, '{}'::jsonb, 'active', true, 0, 0, 1, 0, 0)`.execute(
    db,
  )
  await sql`
    insert into trade (user_id, id, code, count, buy_price, buy_amount, bought_at, held_back, taken_over, by_person,
      bought_before, closed, sell_price, sell_amount, sold_at, sell_day, fee, tax)
    values (${owner.userId}, 11, ${CODE}, 2, 70000, 140000, 0, false, false, false, 0, true, 71000, 142000, 1, '20261119', 42, 284)`.execute(
    db,
  )
}

const api = async (path: string): Promise<unknown> =>
  (await fixture.call('GET', `/api/user/${path}`, { cookie: owner.cookie })).json()

async function call(name: string, input: Record<string, unknown> = {}, by: Asked = mcp) {
  const { content, structuredContent, isError } = await by.client.callTool({ name, arguments: input })
  const [first, ...others] = Array.isArray(content) ? content : []
  expect(others).toEqual([])
  const text = first?.type === 'text' ? first.text : ''
  return { text, structuredContent, isError: isError === true }
}

/** The three tools as they are offered, word for word. */
const offered = async (by: Asked = mcp) => JSON.stringify((await by.client.listTools()).tools)

describe('what is offered', () => {
  test('three tools that say that they only read, and nothing else', async () => {
    const { tools } = await mcp.client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(['portfolio', 'gain', 'whatif'])
    for (const { annotations, inputSchema, outputSchema, description } of tools) {
      expect(annotations).toMatchObject({ readOnlyHint: true, destructiveHint: false })
      expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false })
      expect(outputSchema).toMatchObject({ type: 'object' })
      expect(description).toMatch(/never an\s+instruction/)
    }
    expect(JSON.stringify(tools)).toContain('"name":{"type":"string","description":"untrusted text')
    expect(mcp.client.getServerCapabilities()).toEqual({ tools: { listChanged: false } })
  })
  test('no tool orders, cancels, stops or saves', async () => {
    for (const name of ['order', 'sell_all', 'setStop', 'updateStock', 'marketBuy'])
      await expect(mcp.client.callTool({ name, arguments: {} })).rejects.toThrow(new RegExp(name))
  })
  test.each([
    ['portfolio', { code: '../user' }],
    ['portfolio', { userId: 'other' }],
    ['gain', { fromDate: '20260231' }],
    ['whatif', {}],
    ['whatif', { code: CODE, settings: { lastBuyPrice: 1 } }],
    ['whatif', { code: CODE, settings: { buyPercent: 'x' } }],
  ])('%s %j is refused, and nothing is asked', async (name, input) => {
    requests = []
    const isRefused = await mcp.client.callTool({ name, arguments: input }).then(
      ({ isError }) => isError === true,
      () => true,
    )
    expect([isRefused, requests]).toEqual([true, []])
  })
})

describe('each answer is the API’s reply', () => {
  test('portfolio of all stocks, with the reasons and the settings that led to them', async () => {
    const { structuredContent, text } = await call('portfolio')
    const { list: _list, ...balance } = Balance.parse(await api('balance'))
    expect(structuredContent).toEqual({
      balance,
      stocks: await api('stock?showOnlyWatch=false'),
      orders: await api('kis/order'),
      stop: await api('stop'),
      trades: null,
    })
    expect(structuredContent).toMatchObject({
      stocks: [{ code: CODE, buyPercent: SETTINGS.buyPercent, reasons: [{ text: '다음 매수가를 기다립니다.' }] }],
      orders: [{ code: CODE, orderType: 'SELL' }],
    })
    expect(JSON.parse(text)).toEqual(structuredContent)
  })
  test('portfolio of one stock, with its lots', async () => {
    const { structuredContent } = await call('portfolio', { code: CODE })
    expect(structuredContent).toMatchObject({
      stocks: [await api(`stock/${CODE}`)],
      orders: await api(`kis/order?code=${CODE}`),
      trades: await api(`stock/${CODE}/trade`),
    })
    expect(structuredContent).toMatchObject({ trades: [{ buyPrice: 70_000 }, { buyPrice: 69_300 }] })
  })
  test('gain', async () => {
    const range = { fromDate: '20261101', toDate: '20261130' }
    const days = await api('balance/gain?fromDate=20261101&toDate=20261130')
    expect(days).toMatchObject([{ date: '20261119', gain: { gainAmount: 2_000 } }])
    expect((await call('gain', range)).structuredContent).toEqual({ days })
  })
  test('what-if is the same ladder over the same days as the web client’s', async () => {
    const history = StockHistory.parse(await api(`stock/${CODE}/history?unit=day&fromDate=20261113`))
    const settings = { sellPercent: 0.5, buyPercent: -2 }
    const { structuredContent } = await call('whatif', { code: CODE, fromDate: '20261113', settings })
    const bars = barsOf(history, history)
    const saved = { ...SETTINGS, lastBuyPrice: null }
    const tried = { ...saved, ...settings }
    expect(structuredContent).toEqual({
      code: CODE,
      name: '삼성전자',
      progress: history.progress,
      days: { from: '20261113', to: '20261119', count: 5 },
      saved: { settings: saved, ...runOf(bars, saved) },
      tried: { settings: tried, ...runOf(bars, tried) },
    })
    expect(runOf(bars, tried).both.kind.buys).toBeGreaterThan(0)
    expect(await api(`stock/${CODE}`)).toMatchObject({ sellPercent: SETTINGS.sellPercent })
  })
  test('what is asked is the least that answers, and only by GET', async () => {
    requests = []
    await call('portfolio', { code: CODE })
    await call('gain')
    await call('whatif', { code: CODE })
    expect(requests.every((one) => one.startsWith('GET /api/user/'))).toBe(true)
    expect(requests.length).toBe(5 + 1 + 2)
  })
})

describe('what goes wrong is said in words', () => {
  const wrong = `digger_read_${'A'.repeat(43)}`
  test.each<[string, () => Record<string, string>, RegExp]>([
    ['a token that nobody has', () => ({ DIGGER_URL: url, DIGGER_TOKEN: wrong }), /API 토큰을 받지 않습니다/],
    ['a server that is away', () => ({ DIGGER_URL: 'http://127.0.0.1:9', DIGGER_TOKEN: token }), /닿지 못했습니다/],
  ])('%s', async (_, env, sentence) => {
    await using asked = await startMcp(env())
    for (const name of ['portfolio', 'gain']) {
      const { text, isError, structuredContent } = await call(name, {}, asked)
      expect([isError, structuredContent, text]).toEqual([true, undefined, expect.stringMatching(sentence)])
      expect(text).not.toContain(env()['DIGGER_TOKEN'])
    }
    expect(await offered(asked)).toBe(await offered())
    expect(asked.stderr()).toBe('')
  })
  test('a stock that is not there, and settings that cannot be', async () => {
    expect(await call('portfolio', { code: '999999' })).toMatchObject({ isError: true, text: /999999.*없는 종목/ })
    const impossible = { code: CODE, settings: { buyPercent: 3 } }
    expect(await call('whatif', impossible)).toMatchObject({ isError: true, text: /매수 비율/ })
    expect(await call('whatif', { code: CODE, fromDate: '20261201' })).toMatchObject({ isError: true, text: /시세/ })
  })
  test('a token that has been revoked, and one that has expired; the token is in nothing that is written', async () => {
    const secret = await tokenOf(fixture, owner)
    await using asked = await startMcp({ DIGGER_URL: url, DIGGER_TOKEN: secret })
    const { structuredContent } = await call('gain', {}, asked)
    expect(structuredContent).toMatchObject({ days: expect.any(Array) })
    fixture.clock.advance(7 * 86_400_000)
    const over = await call('gain', {}, asked)
    expect(over).toMatchObject({ isError: true, text: /기한이 지났습니다/ })
    expect(asked.stderr() + JSON.stringify([over, structuredContent])).not.toContain(secret)
    expect(await call('gain')).toMatchObject({ isError: true })
    expect(fixture.log.join('\n')).not.toContain(secret.slice('digger_read_'.length))
  })
})
