/**
 * P19: what a phone downloads and how soon it shows something, on a CPU slowed four times. The floor is the same page as
 * static HTML with its styles inside: nothing to fetch, nothing to run.
 */
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { ok } from 'node:assert/strict'
import { type Browser, type Page, chromium } from '@playwright/test'
import { realClock } from '@digger/database'
import { ServerFixture, credentialsOf } from '@digger/server/testing'
import { notRun } from '../scripts/not-run.ts'
import { interleaved, ratios, printFigure, type Times, roundsOf } from './measure.ts'

const DIST = new URL('../packages/web/dist', import.meta.url).pathname
const CHROMIUM = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium'
const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking']
const STOCKS = 200
const CHANGED = 50
const SLOWER = 4
const LIVE_MS = 6_000
const LIVE_VISITS = 5
const ROUNDS = roundsOf(5)

interface Visit {
  readonly paintMs: number
  /** Size of page, scripts, styles and data; fonts and pictures are apart. */
  readonly bytes: number
  readonly fontBytes: number
}

async function open(browser: Browser, cookie: string, url: string) {
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    isMobile: true,
    hasTouch: true,
    locale: 'ko-KR',
  })
  const pairs = cookie.split('; ').filter(Boolean)
  const site = new URL(url).origin
  await context.addCookies(
    pairs.map((pair) => ({ url: site, name: pair.split('=')[0] ?? '', value: pair.slice(pair.indexOf('=') + 1) })),
  )
  const page = await context.newPage()
  const devtools = await context.newCDPSession(page)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWER })
  await devtools.send('Network.enable')
  const bytes = { page: 0, font: 0 }
  /** Sizes of fonts, icons and the manifest, as their server declares them. */
  const besides = new Map<string, number>()
  devtools.on('Network.responseReceived', ({ requestId, type, response }) => {
    if (type !== 'Font' && type !== 'Image' && type !== 'Manifest') return
    besides.set(requestId, Number(response.headers['content-length'] ?? 0))
  })
  devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const declared = besides.get(requestId)
    // The browser reports 0 for fonts that were not preloaded.
    if (declared === undefined) bytes.page += encodedDataLength
    else bytes.font += encodedDataLength || declared
  })
  await page.addInitScript(WATCH)
  return { context, page, bytes }
}

/** This script runs in the page and records the last largest paint, and every task of 50 ms or more. */
const WATCH = `
  window.paint = 0; window.longTasks = []
  new PerformanceObserver((list) => { for (const entry of list.getEntries()) window.paint = entry.startTime })
    .observe({ type: 'largest-contentful-paint', buffered: true })
  new PerformanceObserver((list) => { for (const entry of list.getEntries()) window.longTasks.push(entry.duration) })
    .observe({ type: 'longtask', buffered: true })
`
const inPage = (page: Page, what: string): Promise<unknown> => page.evaluate(what)

async function visit(browser: Browser, cookie: string, url: string, shows: string): Promise<Visit> {
  const { context, page, bytes } = await open(browser, cookie, url)
  await page.goto(url, { waitUntil: 'load' })
  await page.getByText(shows).first().waitFor()
  await page.waitForTimeout(1_000)
  const paintMs = Number(await inPage(page, 'window.paint'))
  await context.close()
  return { paintMs, bytes: bytes.page, fontBytes: bytes.font }
}

/** Returns the rendered page as one file: what is on the screen, its styles inside, no script. */
async function frozen(browser: Browser, cookie: string, url: string, shows: string): Promise<string> {
  const { context, page } = await open(browser, cookie, url)
  await page.goto(url, { waitUntil: 'load' })
  await page.getByText(shows).first().waitFor()
  await page.waitForTimeout(500)
  const html = await inPage(
    page,
    `(() => {
      const rules = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules]).map((rule) => rule.cssText)
      const copy = document.documentElement.cloneNode(true)
      for (const node of copy.querySelectorAll('script, link')) node.remove()
      return '<!doctype html><html lang="ko"><head><meta charset="utf-8">' +
        '<meta name="viewport" content="width=device-width, initial-scale=1"><style>' +
        rules.join('').replaceAll('url("./', 'url("/assets/') + '</style></head>' + copy.querySelector('body').outerHTML + '</html>'
    })()`,
  )
  await context.close()
  return String(html)
}

/** Serves the frozen pages, and the built client's fonts beside them. */
async function serveFrozen(pages: ReadonlyMap<string, string>): Promise<string> {
  const server = createServer((request, response) => {
    const path = request.url ?? '/'
    const html = pages.get(path)
    const file = DIST + path
    if (html !== undefined) response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(html)
    else if (/^\/assets\/[\w.-]+$/.test(path) && existsSync(file)) response.writeHead(200).end(readFileSync(file))
    else response.writeHead(404).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
}

/** Measures the longest task of the page while fifty of its stocks change ten times a second, ms (0: none of 50 ms). */
async function liveTasks(
  browser: Browser,
  fixture: ServerFixture,
  userId: string,
  cookie: string,
  url: string,
): Promise<number> {
  const { context, page } = await open(browser, cookie, url)
  await page.goto(url, { waitUntil: 'load' })
  await page.getByText('종목0').first().waitFor()
  await page.waitForTimeout(1_500)
  // Starting takes long tasks: without any the watch would not work.
  ok(Number(await inPage(page, 'window.longTasks.splice(0).length')) > 0)
  let price = 70_500
  const beating = setInterval(() => {
    price += 10
    const at = new Date().toISOString()
    const prices = Array.from({ length: CHANGED }, (_, n) => ({ code: codeOf(n), price: price + n, at, base: 70_000 }))
    fixture.services.live.publish(userId, { kind: 'prices', prices })
  }, 100)
  await page.waitForTimeout(LIVE_MS)
  clearInterval(beating)
  await page.getByText(price.toLocaleString('ko-KR')).first().waitFor()
  const tasks = await inPage(page, 'Math.max(0, ...window.longTasks)')
  await context.close()
  return Number(tasks)
}

const codeOf = (n: number): string => String(100_000 + n)

async function bench(): Promise<void> {
  await using fixture = await ServerFixture.start({ parts: { webDir: DIST, wall: realClock } })
  const { userId, cookie } = await fixture.addPerson('bench')
  await fixture.accounts.unlock(userId, credentialsOf('bench'))
  for (let n = 0; n < STOCKS; n += 1) {
    const code = codeOf(n)
    fixture.giveStock(userId, code)
    const stock = fixture.accounts.book(userId).stocks.get(code)
    if (stock !== undefined)
      fixture.accounts.happen(userId, { at: 0, kind: 'issueChanged', code, name: `종목${n}`, issue: stock.issue })
  }
  const origin = await fixture.app.listen({ host: '127.0.0.1', port: 0 })
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS })
  const [login, balance] = [`${origin}/login`, `${origin}/user/balance`]
  const floor = await serveFrozen(
    new Map([
      ['/login', await frozen(browser, '', login, 'LOGIN')],
      ['/balance', await frozen(browser, cookie, balance, '종목0')],
    ]),
  )
  const seen: Record<string, Visit> = {}
  const cell = (name: string, as: string, url: string, shows: string) => ({
    [name]: async () => (seen[name] = await visit(browser, as, url, shows)).paintMs,
  })
  const times = await interleaved(
    {
      ...cell('login', '', login, 'LOGIN'),
      ...cell('loginFloor', '', `${floor}/login`, 'LOGIN'),
      ...cell('balance', cookie, balance, '종목0'),
      ...cell('balanceFloor', '', `${floor}/balance`, '종목0'),
    },
    ROUNDS,
  )
  report(seen, times)
  const tasks: number[] = []
  for (let visit = 0; visit < LIVE_VISITS; visit += 1)
    tasks.push(await liveTasks(browser, fixture, userId, cookie, balance))
  printFigure('P19 longest task at 50 changes × 10 a second, CPU slowed 4 times, ms', tasks, '≤ 50')
  await browser.close()
  process.exit(0)
}

function report(seen: Readonly<Record<string, Visit>>, times: Times): void {
  const kB = (name: string, part: 'bytes' | 'fontBytes') => (seen[name]?.[part] ?? Number.NaN) / 1_000
  printFigure('P19 log-in page, kB on the wire', [kB('login', 'bytes')], '≤ 85')
  printFigure('P19 balance page with 200 stocks, kB on the wire', [kB('balance', 'bytes')], '≤ 130')
  printFigure('P19 log-in page, fonts and icons besides, kB', [kB('login', 'fontBytes')])
  printFigure('P19 balance page, fonts and icons besides, kB', [kB('balance', 'fontBytes')])
  printFigure(
    'P19 largest paint, log-in page / the same as static HTML',
    ratios(times['login'], times['loginFloor']),
    '≤ 2',
  )
  printFigure(
    'P19 largest paint, balance / the same as static HTML',
    ratios(times['balance'], times['balanceFloor']),
    '≤ 2',
  )
  printFigure('P19 largest paint, log-in page, ms', times['login'] ?? [])
  printFigure('P19 largest paint, balance page, ms', times['balance'] ?? [])
}

if (existsSync(CHROMIUM) && existsSync(DIST)) await bench()
else notRun(`needs ${CHROMIUM} and a built client (npm run build)`)
