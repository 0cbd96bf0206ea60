import { chromium, type Browser } from '@playwright/test'
import { slowLine, type Line } from './measure/slow-line.ts'
import { launchOptions } from './playwright.config.ts'
import { startServer } from './server.ts'

/** A phone far away, as web.dev's "slow 4G". */
const LINE: Line = { roundTrip: 150, rate: 1_600_000 }
/** On a line twice as slow everything must take longer, else nothing was measured. */
const SLOWER: Line = { roundTrip: 300, rate: 800_000 }
const LOADS = 7
const SLOWED = 4
const LIMIT_MS = 1_000

interface Paints {
  fcp: number
  lcp: number
  /** What the largest paint was of. */
  largest: string
}

/** The paints of a page whose scripts and fonts are all there: nothing larger comes any more. */
const PAINTS = `new Promise((done) => {
  const read = async () => {
    await document.fonts.ready
    new PerformanceObserver((list) => {
      const { startTime: lcp, element, size } = list.getEntries().at(-1)
      const [{ startTime: fcp }] = performance.getEntriesByName('first-contentful-paint')
      done({ fcp, lcp, largest: element?.localName + ' ' + (element?.textContent ?? '').slice(0, 30) + ', ' + size + ' px²' })
    }).observe({ type: 'largest-contentful-paint', buffered: true })
  }
  const paint = () => requestAnimationFrame(() => requestAnimationFrame(read))
  document.readyState === 'complete' ? paint() : addEventListener('load', paint)
})`

/** One first visit: no cache, no connection, no compiled code. */
async function visit(browser: Browser, url: string, slowed: number): Promise<Paints> {
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    deviceScaleFactor: 2,
    isMobile: true,
    hasTouch: true,
  })
  try {
    const page = await context.newPage()
    const session = await context.newCDPSession(page)
    await session.send('Emulation.setCPUThrottlingRate', { rate: slowed })
    await page.goto(`${url}/login`)
    return await page.evaluate<Paints>(PAINTS)
  } finally {
    await context.close()
  }
}

const middle = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
const text = (values: readonly number[]): string =>
  `${middle(values).toFixed(0)} ms (${Math.min(...values).toFixed(0)}–${Math.max(...values).toFixed(0)})`

/** Prints the paints of several first visits over one line; gives the median of the largest. */
async function visits(browser: Browser, target: number, line: Line, slowed: number): Promise<number> {
  const { port, close } = await slowLine(target, line)
  const paints: Paints[] = []
  try {
    for (let load = 0; load < LOADS; load += 1) paints.push(await visit(browser, `http://127.0.0.1:${port}`, slowed))
  } finally {
    close()
  }
  const [first, largest] = [paints.map(({ fcp }) => fcp), paints.map(({ lcp }) => lcp)]
  console.log(
    `${line.roundTrip} ms there and back, ${line.rate / 1e6} Mbit/s, CPU slowed ${slowed} times: ` +
      `FCP ${text(first)}, LCP ${text(largest)} of <${paints.at(-1)?.largest}>`,
  )
  return middle(largest)
}

const server = await startServer()
const browser = await chromium.launch(launchOptions)
try {
  const port = Number(new URL(server.url).port)
  console.log(`log-in page of the real server, median of ${LOADS} first visits (least–most)`)
  await visits(browser, port, LINE, 1)
  const largest = await visits(browser, port, LINE, SLOWED)
  const slower = await visits(browser, port, SLOWER, SLOWED)
  if (slower < largest + SLOWER.roundTrip - LINE.roundTrip) throw new Error('a slower line goes unseen')
  if (largest > LIMIT_MS) process.exitCode = 1
} finally {
  await browser.close()
  await server.stop()
}
