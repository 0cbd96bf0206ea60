import { parseArgs } from 'node:util'
import { chromium, type Browser, type Page, type Request } from '@playwright/test'
import { startFixture, type Fixture } from './fixture/server.ts'
import { INTERVAL_MS, trade } from './measure/open.ts'
import { tasksOf, type Task } from './measure/thread.ts'
import { LONG_MS } from './measure/watch.ts'
import { launchOptions } from './playwright.config.ts'

/**
 * Whether a slider of the past holds up a picture: it moves through its sizes and back while three years of days, ten years, or 60 days of
 * minutes are traded again, on a CPU slowed to a quarter, with prices coming in. `--range` names one, `--wide` is a desktop.
 */
const SLOWED = 4
const STOCKS = 40
/** Every tenth of a second: 50 a second. */
const CHANGES = 5
const MOVES = 120
/** A finger reports its place so often, ms. */
const MOVE_MS = 16
const RANGES = ['three', 'ten', 'minute'] as const

const { values } = parseArgs({
  options: { range: { type: 'string', default: '' }, wide: { type: 'boolean', default: false } },
})

async function opened(browser: Browser, { url }: Fixture, range: string): Promise<Page> {
  const viewport = values.wide ? { width: 1440, height: 900 } : { width: 390, height: 844 }
  const page = await browser.newPage({ viewport, deviceScaleFactor: values.wide ? 1 : 2 })
  await page.request.post(`${url}/api/login`, { data: { email: 'minji@example.com', password: 'digger-minji' } })
  await page.goto(`${url}/user/stock/005930/settings?whatif=true&past=${range}`)
  await page.getByText('다른 비율이었다면').waitFor()
  await page.waitForLoadState('networkidle', { timeout: 3_000 }).catch(() => undefined)
  return page
}

interface Moved {
  readonly tasks: readonly Task[]
  /** How often the figures changed while it moved. */
  readonly drawn: number
  /** From the last move to the last figures, ms. */
  readonly behind: number
}

/** The thumb goes from one end to the other, as a finger drags it. */
async function drag(browser: Browser, page: Page, name: string): Promise<Moved> {
  const slider = page.getByRole('slider', { name })
  await slider.scrollIntoViewIfNeeded()
  const box = await slider.boundingBox()
  if (box === null) throw new Error(`no slider ${name}`)
  await page.evaluate(`
    globalThis.drawn = 0
    globalThis.drawnAt = 0
    globalThis.looking?.disconnect()
    globalThis.looking = new MutationObserver(() => { drawn += 1; drawnAt = performance.now() })
    looking.observe([...document.querySelectorAll('table')].find((one) => one.textContent.includes('합계(비용 뺌)')),
      { subtree: true, childList: true, characterData: true })`)
  const y = box.y + box.height / 2
  await page.mouse.move(box.x + 10, y)
  await page.mouse.down()
  const tasks = await tasksOf(browser, page, async () => {
    for (let move = 0; move <= MOVES; move += 1) {
      const share = move / MOVES
      await page.mouse.move(box.x + 10 + (box.width - 20) * (share < 0.5 ? 2 * share : 2 - 2 * share), y)
      await new Promise((done) => setTimeout(done, MOVE_MS))
    }
  })
  const ended = await page.evaluate<number>('performance.now()')
  await page.mouse.up()
  // Whatever is still computed is there.
  await page.waitForTimeout(1_500)
  const { drawn, drawnAt } = await page.evaluate<{ drawn: number; drawnAt: number }>('({ drawn, drawnAt })')
  return { tasks, drawn, behind: Math.max(0, Math.round(drawnAt - ended)) }
}

/** As long as it takes to have run for longer than a long task, also where others take the cores. */
const BURN = `new Promise((done) => setTimeout(() => {
  const until = performance.now() + ${10 * LONG_MS}
  while (performance.now() < until);
  done(null)
}))`

/** A task that is long on purpose must be counted, else no figure means anything. */
async function expectLongTaskSeen(browser: Browser, page: Page): Promise<void> {
  const tasks = await tasksOf(browser, page, async () => void (await page.evaluate(BURN)))
  if (tasks.every(({ cpu }) => cpu <= LONG_MS)) throw new Error('long tasks go unseen')
}

const fixture = await startFixture({ stocks: STOCKS })
fixture.state.put('u1', {
  ...fixture.state.stock('u1', '005930'),
  maxBuyPrice: 1_000_000,
  maxBuyAmount: 20_000_000,
  buyUnitPrice: 200_000,
  buyPercent: -1,
  sellPercent: 1.2,
  autoBuy: true,
  autoSell: true,
})
const browser = await chromium.launch(launchOptions)
const trading = trade(fixture.state, CHANGES)
try {
  console.log(
    `${CHANGES} price changes every ${INTERVAL_MS} ms, CPU slowed ${SLOWED} times, ${values.wide ? 1440 : 390} px`,
  )
  let isFine = true
  for (const range of RANGES.filter((one) => values.range === '' || one === values.range)) {
    const page = await opened(browser, fixture, range)
    const session = await page.context().newCDPSession(page)
    await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWED })
    await expectLongTaskSeen(browser, page)
    for (const name of ['해 볼 매수 비율', '해 볼 매도 비율']) {
      const asked: string[] = []
      const note = (one: Request) => {
        // The code of other pages is fetched ahead by itself.
        if (one.url().includes('/api/')) asked.push(one.url())
      }
      page.on('request', note)
      const { tasks, drawn, behind } = await drag(browser, page, name)
      page.off('request', note)
      const long = tasks.filter(({ cpu }) => cpu > LONG_MS)
      const [cpu, wall] = [Math.max(...tasks.map((task) => task.cpu)), Math.max(...tasks.map((task) => task.wall))]
      console.log(
        `${range.padEnd(6)} ${name}: ${long.length} tasks over ${LONG_MS} ms (longest ${cpu.toFixed(0)} ms of CPU, ${wall.toFixed(0)} ms by the clock); ` +
          `figures drawn ${drawn} times in ${MOVES} moves, the last ${behind} ms after the last move; ${asked.length} requests`,
      )
      for (const url of asked) console.log(`  asked ${url}`)
      if (drawn < 10 || asked.length > 0 || long.length > 0) isFine = false
    }
    await page.close()
  }
  if (!isFine) process.exitCode = 1
} finally {
  clearInterval(trading)
  await browser.close()
  await fixture.close()
}
