import type { Sim } from '@digger/kis-sim'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createKis, UNLIMITED, type KisRest, type RawReply } from '../../src/index.ts'
import type { Alteration } from './altering.ts'
import { Mismatch, pagesOf, type Paper } from './check.ts'
import { CODE, ME, type More, run, tradingBroker } from './fixture.ts'
import { MARKET_CHECKS } from './market-checks.ts'
import { ORDER_CHECKS } from './order-checks.ts'
import { READINGS } from './run.ts'

let sim: Sim
beforeEach(async () => {
  sim = await tradingBroker()
})
afterEach(() => sim.close())

/** Changes fields of the rows of a reply whose address has all of `at`. */
const rows =
  (at: readonly string[], key: string, change: Readonly<Record<string, string>>): Alteration =>
  (address, body) => {
    if (!at.every((part) => address.includes(part))) return undefined
    const old = body[key]
    const list: unknown[] = Array.isArray(old) ? old : [old]
    const altered = list.map((row) => ({ ...Object(row), ...change }))
    return { ...body, [key]: Array.isArray(old) ? altered : altered[0] }
  }
const isOfDays = 'inquire-daily-ccld'

/** Of each check one answer that it must not let pass. */
const ALTERED: Readonly<Record<string, More>> = {
  'access token': {
    alter: (address, body) =>
      address.includes('tokenP')
        ? { ...body, access_token_token_expired: '2099-01-01 00:00:00', expires_in: 9e8 }
        : undefined,
  },
  quote: { alter: rows(['inquire-price', CODE], 'output', { stck_prpr: '1' }) },
  'quote of a code that is none': { alter: rows(['inquire-price', '999999'], 'output', { stck_prpr: '100' }) },
  'order book': { alter: rows(['inquire-asking-price'], 'output1', { askp1: '999999999' }) },
  'day candles, more than one window of 100': { alter: rows(['daily-itemchart'], 'output2', { stck_hgpr: '1' }) },
  'minute candles of today': { alter: rows(['time-itemchart'], 'output2', { stck_hgpr: '-5' }) },
  'name of a stock, from the chart': { alter: rows(['daily-itemchart'], 'output1', { hts_kor_isnm: '' }) },
  balance: { alter: rows(['inquire-balance'], 'output1', { ord_psbl_qty: '999999' }) },
  'what can be bought': { alter: rows(['inquire-psbl-order'], 'output', { nrcvb_buy_qty: '99999999' }) },
  'orders and fills of today, and those still open': { alter: rows([isOfDays], 'output1', { odno: 'A12' }) },
  'orders and fills of ten days': { alter: rows([isOfDays], 'output1', { ord_dt: '20250102' }) },
  'connection in real time, with the notices of the HTS ID': { env: { KIS_HTS_ID: 'nobody' } },
  'trades of KRX': { after: (line) => void (line.includes('notices registered') && sim.sockets('freeze')) },
  'one share far below the market: listed, cancelled, listed as cancelled': {
    orders: true,
    alter: rows([isOfDays], 'output1', { cncl_yn: 'N', rmn_qty: '1' }),
  },
}

/** Pages of one list by their header. */
const walk = (...conts: string[]): RawReply[] =>
  conts.map((cont, at) => ({
    trId: '',
    path: '',
    params: {},
    cont: at === 0 ? '' : 'N',
    status: 200,
    headers: [['tr_cont', cont]],
    text: '{"rt_cd":"0"}',
  }))

describe('a check can fail', () => {
  test.each(Object.entries(ALTERED))('%s', async (name, more) => {
    sim.outsideTrade(ME.accountNumber, { code: CODE, side: 'buy', count: 1, price: sim.price(CODE) })
    const { outcomes, lines } = await run(sim, { trades: true, ...more })
    expect([outcomes.get(name), lines]).toEqual(['failed', expect.any(Array)])
    expect(sim.liveOrders(ME.accountNumber)).toEqual([])
  })

  test('pages: a first page that announces no other', () => {
    expect(pagesOf(walk('F', 'M', 'D'))).toBe(3)
    expect(pagesOf([...walk('D'), ...walk('F', 'E')])).toBe(3)
    for (const wrong of [walk('D', 'D'), walk('F'), [...walk('M'), ...walk('D')]])
      expect(() => pagesOf(wrong)).toThrow(Mismatch)
    expect(() => pagesOf([])).toThrow(Mismatch)
  })

  test('what paper does not offer: a client that asks, or that answers', async () => {
    const check = MARKET_CHECKS.find(({ name }) => name === 'what paper does not offer')
    const { rest, socket } = createKis({
      env: 'real',
      restUrl: sim.url,
      wsUrl: sim.wsUrl,
      credentials: ME,
      tokens: { load: async () => null, save: async () => undefined },
      limits: UNLIMITED,
    })
    const paperOf = (other: KisRest): Paper => ({
      rest: other,
      socket,
      tokens: [],
      hasHtsId: true,
      code: CODE,
      now: () => sim.clock.now(),
      pause: async () => undefined,
      times: { listenMs: 0, connectMs: 0, pollMs: 0, listedWithinMs: 0 },
    })
    await expect(check?.run(paperOf(rest))).rejects.toThrow(Mismatch)
    await expect(
      check?.run(paperOf({ ...rest, pastMinutes: async () => ({ candles: [], isLast: true }) })),
    ).rejects.toThrow(Mismatch)
    await rest.close()
  })

  test('of every check there is an answer that it must not let pass', () => {
    const names = [...READINGS, ...ORDER_CHECKS].map(({ name }) => name)
    const elsewhere = new Set(['what paper does not offer', 'an order for NXT, which paper does not take'])
    expect(names.filter((name) => !(name in ALTERED) && !elsewhere.has(name))).toEqual([])
  })
})
