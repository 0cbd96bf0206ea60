import { expect, test, vi } from 'vitest'
import { DEFAULT_LIMITS, UnreachableError } from '../src/index.ts'
import { clientOf, ok, startBroker } from './broker.ts'

const BAR = { stck_clpr: '1', stck_oprc: '1', stck_hgpr: '1', stck_lwpr: '1', acml_vol: '1', mod_yn: 'N' }
const CHART = {
  body: ok({
    output1: { hts_kor_isnm: '삼성전자', stck_prpr: '70500' },
    output2: [{ ...BAR, stck_bsop_date: '20261113' }],
  }),
}
const QUOTE = { body: ok({ output: { stck_prpr: '70500', stck_sdpr: '70000', stck_mxpr: '1', stck_llam: '1' } }) }
const DAY = ['005930', '20261113', '20261113'] as const

/** A broker whose charts do not answer, as long as `hangs` says so, and the limits of a real key but for the pauses. */
async function hangingCharts() {
  const state = { hangs: true }
  const broker = await startBroker((seen) => {
    if (seen.path.startsWith('/oauth2/')) return undefined
    if (seen.path.includes('chartprice')) return state.hangs ? 'hang' : CHART
    return QUOTE
  })
  const { rest } = clientOf(broker.url, { limits: { ...DEFAULT_LIMITS.real, spacingMs: 0, ledgerSpacingMs: 0 } })
  const charts = () => broker.seen.filter(({ path }) => path.includes('chartprice')).length
  const close = async (): Promise<void> => {
    await rest.close()
    await broker[Symbol.asyncDispose]()
  }
  return { rest, state, charts, [Symbol.asyncDispose]: close }
}

test('a chart that hangs in the background keeps no price from anybody', async () => {
  await using fixture = await hangingCharts()
  const { rest, charts } = fixture
  const giveUp = new AbortController()
  const chart = rest.inBackground({ answerMs: 60_000, signal: giveUp.signal }).dayCandles(...DAY)
  const ended = chart.catch((error: unknown) => error)
  await vi.waitFor(() => expect(charts()).toBe(1))
  for (let n = 0; n < 3; n += 1) expect((await rest.quote('005930'))?.price).toBe(70_500)
  expect(rest.unanswered).toBe(1)
  giveUp.abort()
  expect(await ended).toBeInstanceOf(UnreachableError)
  expect(rest.unanswered).toBe(0)
})

test('it is asked once and given up after its own time; afterwards the next one goes', async () => {
  await using fixture = await hangingCharts()
  const { rest, charts, state } = fixture
  const background = rest.inBackground({ answerMs: 200 })
  const began = performance.now()
  await expect(background.dayCandles(...DAY)).rejects.toThrow(UnreachableError)
  // The client's own time is ten seconds an attempt.
  expect(performance.now() - began).toBeLessThan(5_000)
  expect(charts()).toBe(1)
  state.hangs = false
  expect(await background.dayCandles(...DAY)).toMatchObject([{ day: '20261113', close: 1 }])
})

test('whoever has given up asks nothing more, but others do', async () => {
  await using fixture = await hangingCharts()
  const { rest, charts, state } = fixture
  state.hangs = false
  const background = rest.inBackground({ answerMs: 60_000, signal: AbortSignal.abort() })
  await expect(background.dayCandles(...DAY)).rejects.toThrow(UnreachableError)
  expect(charts()).toBe(0)
  expect(await rest.dayCandles(...DAY)).toHaveLength(1)
})
