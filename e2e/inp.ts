import { parseArgs } from 'node:util'
import { chromium, type Page } from '@playwright/test'
import { startFixture } from './fixture/server.ts'
import { touch, watchInteractions, worstOf, type Interaction } from './inp/interactions.ts'
import { TAPS, type Tap } from './inp/taps.ts'
import { launchOptions } from './playwright.config.ts'
import { INTERVAL_MS, trade } from './measure/open.ts'

/**
 * How long each press of the main paths takes to the next picture, on a phone whose CPU is slowed to a quarter, with 200 stocks
 * and 50 changes a second. `--only word` measures those whose name has the word, `--repeats n` as often, and `--changes n` with so
 * many changes every tenth of a second.
 */
const STOCKS = 200
/** Every tenth of a second: 50 a second. */
const CHANGES = 5
const SLOWED = 4
/** A press that takes longer is felt, ms. */
const LIMIT_MS = 100
const SLOW_MS = 150
/** Whatever a page does once it is there, as drawing it anew with its own font, is over after; ms. */
const STILL_MS = 500

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    repeats: { type: 'string', default: '5' },
    changes: { type: 'string', default: String(CHANGES) },
  },
})
const repeats = Number(values.repeats)
const changes = Number(values.changes)
const { only } = values

const { url, state, close } = await startFixture({ stocks: STOCKS })
const browser = await chromium.launch(launchOptions)
const first = { ...state.stock('u1', '005930') }

async function pageOf(who: Tap['who']): Promise<Page> {
  const context = await browser.newContext({
    baseURL: url,
    viewport: { width: 390, height: 844 },
    isMobile: true,
    hasTouch: true,
    deviceScaleFactor: 2,
    locale: 'ko-KR',
    timezoneId: 'Asia/Seoul',
    serviceWorkers: 'block',
  })
  const page = await context.newPage()
  const [email, password] =
    who === 'user' ? ['minji@example.com', 'digger-minji'] : ['admin@example.com', 'digger-admin']
  await page.request.post('/api/login', { data: { email, password } })
  return page
}

/** Comes to the page of a press as a person does: everything is there and still. */
async function arrive(page: Page, path: string): Promise<void> {
  state.put('u1', { ...first })
  await page.goto(path)
  await page.getByRole('main').waitFor()
  // The code of all pages is fetched when one has been there for a while: nobody presses before.
  await page.evaluate(`Promise.all([...document.querySelectorAll('[aria-label="불러오는 중"]')].length ? [] : [1])`)
  await page.locator('[aria-label="불러오는 중"], [aria-label="처리 중"]').first().waitFor({ state: 'detached' })
  await watchInteractions(page)
}

const sorted = (numbers: readonly number[]): number[] => numbers.toSorted((a, b) => a - b)
/** The value that the given share of them does not exceed. */
const quantile = (numbers: readonly number[], share: number): number =>
  sorted(numbers)[Math.min(numbers.length - 1, Math.ceil(share * numbers.length) - 1)] ?? 0

async function measure(page: Page, tap: Tap): Promise<Interaction[]> {
  const session = await page.context().newCDPSession(page)
  const found: Interaction[] = []
  for (let turn = 0; turn < repeats; turn += 1) {
    await session.send('Emulation.setCPUThrottlingRate', { rate: 1 })
    await arrive(page, tap.path)
    await tap.before?.(page)
    const what = tap.what(page)
    await what.scrollIntoViewIfNeeded()
    if (tap.text !== undefined) await what.focus()
    // Code that pages fetch ahead is there, and what was just opened stands still.
    await page.waitForLoadState('networkidle', { timeout: 700 }).catch(() => undefined)
    await page.waitForTimeout(STILL_MS)
    await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWED })
    const act = async () => (tap.text === undefined ? touch(page, what, tap.at) : page.keyboard.type(tap.text))
    found.push(await worstOf(page, act))
  }
  await session.detach()
  return found
}

function report(name: string, found: readonly Interaction[]): boolean {
  const times = found.map(({ duration }) => duration)
  const middle = found.toSorted((a, b) => a.duration - b.duration)[Math.floor(found.length / 2)]
  const [p50, p75, max] = [quantile(times, 0.5), quantile(times, 0.75), Math.max(...times)]
  const parts =
    middle && `${middle.name} ${Math.round(middle.delay)}+${Math.round(middle.work)}+${Math.round(middle.paint)}`
  const isSlow = p50 > LIMIT_MS
  console.log(
    `${isSlow ? 'OVER' : '    '} ${name.padEnd(28)} median ${p50} p75 ${p75} max ${max} ms (${parts ?? ''}) [${times.join(' ')}]`,
  )
  return isSlow
}

/** A press that is slow on purpose must be seen, else no figure means anything; one that does nothing is what the machine takes. */
async function expectSlowPressSeen(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await arrive(page, '/user/balance')
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWED })
  const heading = page.getByRole('heading', { level: 1 })
  const idle = await worstOf(page, () => touch(page, heading))
  await page.evaluate(`document.querySelector('h1').addEventListener('click', () => {
    const until = performance.now() + ${SLOW_MS}
    while (performance.now() < until);
  })`)
  const slow = await worstOf(page, () => touch(page, heading))
  console.log(`a press on nothing ${idle.duration} ms, one that is made to take ${SLOW_MS} ms: ${slow.duration} ms`)
  if (slow.duration < SLOW_MS) throw new Error('slow presses go unseen')
  await session.detach()
}

const trading = trade(state, changes)
try {
  console.log(`${STOCKS} stocks, ${changes} price changes every ${INTERVAL_MS} ms, CPU slowed ${SLOWED} times, 390 px`)
  const pages = { user: await pageOf('user'), admin: await pageOf('admin') }
  await expectSlowPressSeen(pages.user)
  const slow: string[] = []
  for (const tap of TAPS.filter(({ name }) => name.includes(only))) {
    try {
      if (report(tap.name, await measure(pages[tap.who], tap))) slow.push(tap.name)
    } catch (error) {
      console.log(`FAILED ${tap.name}: ${String(error).split('\n')[0]}`)
      slow.push(tap.name)
    }
  }
  console.log(slow.length === 0 ? `none over ${LIMIT_MS} ms` : `over ${LIMIT_MS} ms: ${slow.join(', ')}`)
  if (slow.length > 0) process.exitCode = 1
} finally {
  clearInterval(trading)
  await browser.close()
  await close()
}
