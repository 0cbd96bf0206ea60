import { chromium, type CDPSession, type Page } from '@playwright/test'
import { CHANGES, INTERVAL_MS, movePrices } from './fixture/moving.ts'
import { startFixture } from './fixture/server.ts'
import { launchOptions } from './playwright.config.ts'

/** The balance with 200 stocks of which 50 change ten times a second, on a CPU slowed to a quarter. */
const STOCKS = 200
const SLOWED = 4
const DURATION_MS = 10_000
/** A task longer than this is felt. */
const LONG_MS = 50
/** Pixels of each scroll step, one step a frame. */
const STEP = 40

interface Figures {
  tasks: number[]
  frames: number
  ms: number
}

/** Counts long tasks and frames until `stop` is called; `scroll` moves the page every frame. */
const WATCH = `globalThis.watch = (scroll) => {
  const tasks = []
  const observer = new PerformanceObserver((list) => list.getEntries().forEach(({ duration }) => tasks.push(duration)))
  observer.observe({ type: 'longtask' })
  const began = performance.now()
  let [frames, on, way] = [0, true, 1]
  const frame = () => {
    frames += 1
    if (scroll) {
      scrollBy(0, way * ${STEP})
      if (scrollY <= 0 || scrollY + innerHeight >= document.documentElement.scrollHeight - 1) way = -way
    }
    if (on) requestAnimationFrame(frame)
  }
  requestAnimationFrame(frame)
  globalThis.stop = () => {
    on = false
    observer.takeRecords().forEach(({ duration }) => tasks.push(duration))
    observer.disconnect()
    return { tasks, frames, ms: performance.now() - began }
  }
}`

async function measure(page: Page, scroll: boolean): Promise<Figures> {
  await page.evaluate(`watch(${scroll})`)
  await new Promise((done) => setTimeout(done, DURATION_MS))
  return page.evaluate<Figures>('stop()')
}

/** A task that is long on purpose must be counted, else no figure below means anything. */
async function expectLongTasksSeen(page: Page): Promise<void> {
  await page.evaluate('watch(false)')
  await page.evaluate(`new Promise((done) => setTimeout(() => {
    const until = performance.now() + ${2 * LONG_MS}
    while (performance.now() < until);
    setTimeout(done, ${INTERVAL_MS})
  }))`)
  const { tasks } = await page.evaluate<Figures>('stop()')
  if (tasks.length === 0) throw new Error('long tasks go unseen')
}

/** Script, style and layout work of the page so far, seconds. */
async function work(session: CDPSession): Promise<Record<string, number>> {
  const { metrics } = await session.send('Performance.getMetrics')
  return Object.fromEntries(metrics.map(({ name, value }) => [name, value]))
}

function report(name: string, { tasks, frames, ms }: Figures): boolean {
  const long = tasks.filter((task) => task > LONG_MS)
  const longest = Math.round(Math.max(0, ...tasks))
  console.log(
    `${name}: ${long.length} tasks over ${LONG_MS} ms (longest ${longest} ms), ${((1000 * frames) / ms).toFixed(0)} frames/s`,
  )
  return long.length === 0
}

const { url, state, close } = await startFixture({ stocks: STOCKS })
const browser = await chromium.launch(launchOptions)
let trading: NodeJS.Timeout | undefined
try {
  const wide = process.argv.includes('--wide')
  const viewport = wide ? { width: 1920, height: 1080 } : { width: 390, height: 844 }
  const page = await browser.newPage({ viewport, deviceScaleFactor: wide ? 1 : 2 })
  await page.request.post(`${url}/api/login`, { data: { email: 'minji@example.com', password: 'digger-minji' } })
  await page.goto(`${url}/user/balance`)
  await page.getByRole('article').first().waitFor()
  await page.waitForLoadState('networkidle', { timeout: 3_000 }).catch(() => undefined)
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable')
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWED })
  await page.evaluate(WATCH)
  console.log(`${STOCKS} stocks, ${CHANGES} price changes every ${INTERVAL_MS} ms, CPU slowed ${SLOWED} times`)
  report('nothing moves        ', await measure(page, false))
  await expectLongTasksSeen(page)
  trading = movePrices(state, 'u1')
  const still = await page.getByRole('main').innerText()
  const before = await work(session)
  const updates = await measure(page, false)
  const after = await work(session)
  if ((await page.getByRole('main').innerText()) === still) throw new Error('no price moved')
  const fine = report('prices               ', updates)
  for (const part of ['ScriptDuration', 'RecalcStyleDuration', 'LayoutDuration', 'TaskDuration'])
    console.log(`  ${part}: ${(((after[part] ?? 0) - (before[part] ?? 0)) * 100).toFixed(0)} ms a second`)
  report('prices and scrolling ', await measure(page, true))
  if (!fine) process.exitCode = 1
} finally {
  clearInterval(trading)
  await browser.close()
  await close()
}
