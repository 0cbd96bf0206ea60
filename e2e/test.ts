import { setTimeout } from 'node:timers/promises'
import { expect, test as base, type BrowserContext, type Page } from '@playwright/test'
import { startFixture, type Fixture } from './fixture/server.ts'
import { takeMisfits } from './fixture/wire.ts'
import { later, ownServer, sharedServer } from './server.ts'
import { assertionCount } from './spec/assertions.ts'
import { sentencesOf } from './spec/covers.ts'
import { proofless } from './spec/proof.ts'
import { Tab } from './tab.ts'

export interface Login {
  email: string
  password: string
}

type Who = 'user' | 'admin' | 'newbie'
type Cookies = Awaited<ReturnType<BrowserContext['cookies']>>

/** Where the tests run: a server that is up already (E2E_URL), the real one of this run, or a fixture of this worker's own. */
export interface Site {
  url: string
  user: Login
  admin: Login
  /** Somebody who owns nothing yet. */
  newbie: Login
  /** A log-in is slow on purpose (its hash): each person logs in once for all tests of a worker. */
  sessions: Map<Who, Cookies>
  /** Moves prices and cuts streams; null where replies are not made up. */
  fixture: Fixture | null
  /** The pretend market of the run's real server, else null. */
  market: string | null
  /** Moves the clock of the run's real server ahead, for everybody. */
  later: (ms: number) => Promise<void>
}

const login = (name: string, email: string, password: string): Login => ({
  email: process.env[`E2E_${name}_EMAIL`] ?? email,
  password: process.env[`E2E_${name}_PASSWORD`] ?? password,
})

const noClock = () => Promise.reject(new Error('only the clock of the real server of a run can be moved'))

const MONTH_S = 30 * 86_400
const FRESH_S = 480
/** What may cost money asks anew who it is ten minutes after a log-in: a test begins with one that is not so old. */
const isFresh = (cookies: Cookies): boolean =>
  cookies.every(
    ({ name, expires }) => !name.endsWith('digger_session') || expires - Date.now() / 1000 > MONTH_S - FRESH_S,
  )

interface WorkerOptions {
  target: 'fixture' | 'server'
  /** The run's real server, or one that this worker may change for everybody. */
  server: 'shared' | 'own'
  /** Of the demonstration; what tests change of somebody's account is not to be met by tests that run beside them. */
  user: Login
}

interface Fixtures {
  /** Goes to a page as somebody who is logged in. */
  enter: (who: Who, path: string) => Promise<void>
  /** Fails a test that proves nothing: it compares nothing, leaves itself out, or saw what the product never answers. */
  proof: void
}

/** What a list of orders has: boxes, or on wide windows the lines of a table. */
export const orders = (page: Page) => page.getByRole('main').locator('li, tbody tr')

export const test = base.extend<Fixtures, WorkerOptions & { site: Site; tab: Tab }>({
  target: ['fixture', { option: true, scope: 'worker' }],
  server: ['shared', { option: true, scope: 'worker' }],
  user: [
    { email: 'minji@example.com', password: 'digger-minji' },
    { option: true, scope: 'worker' },
  ],
  site: [
    async ({ target, server: whose, user }, use) => {
      const people = {
        sessions: new Map<Who, Cookies>(),
        user: login('USER', user.email, user.password),
        admin: login('ADMIN', 'admin@example.com', 'digger-admin'),
        newbie: login('NEWBIE', 'newbie@example.com', 'digger-newbie'),
      }
      if (target === 'server') {
        const url = process.env['E2E_URL']
        if (url) return use({ url, ...people, fixture: null, market: null, later: noClock })
        const own = whose === 'own' ? await ownServer() : null
        const server = own ?? (await sharedServer())
        await use({ ...server, ...people, fixture: null, later: (ms) => later(server, ms) })
        return own?.stop()
      }
      const fixture = await startFixture({ keeps: true })
      await use({ url: fixture.url, ...people, fixture, market: null, later: noClock })
      await fixture.close()
    },
    // A new server first trades through some days.
    { scope: 'worker', timeout: 300_000 },
  ],
  tab: [
    async ({ browser, site }, use) => {
      const tab = new Tab(browser, site.url)
      await use(tab)
      await tab.close()
    },
    { scope: 'worker' },
  ],
  context: async (
    { tab, viewport, isMobile, hasTouch, colorScheme, serviceWorkers, permissions, contextOptions },
    use,
  ) => {
    const { reducedMotion } = contextOptions
    const chosen = { viewport, isMobile, hasTouch, colorScheme, reducedMotion, serviceWorkers, permissions }
    await use(await tab.open(chosen))
    await tab.clean()
  },
  page: async ({ context }, use) => use(context.pages()[0] ?? (await context.newPage())),
  proof: [
    async ({ target: _target }, use, info) => {
      const before = assertionCount()
      await use()
      const fault = proofless({
        status: info.status,
        compared: assertionCount() - before,
        sentences: sentencesOf(info.annotations),
        misfits: takeMisfits(),
      })
      if (fault !== null) throw new Error(fault)
    },
    { auto: true },
  ],
  baseURL: ({ site }, use) => use(site.url),
  enter: async ({ page, context, site }, use) => {
    const entered = new Set<Who>()
    await use(async (who, path) => {
      entered.add(who)
      const known = site.sessions.get(who)
      await context.clearCookies()
      if (known && isFresh(known)) await context.addCookies(known)
      else {
        const reply = await page.request.post('/api/login', { data: { ...site[who], forceKisLogin: false } })
        if (!reply.ok()) throw new Error(`login as ${who}: ${reply.status()} ${await reply.text()}`)
        site.sessions.set(who, await context.cookies())
      }
      await page.goto(path)
    })
    // Who left the session in the test logs in anew in the next.
    const left = (await context.cookies()).every(({ name }) => !name.endsWith('session'))
    if (left) for (const who of entered) site.sessions.delete(who)
  },
})
/** The button of every screen that stops the account, by its name: the state, and what the button does about it. */
export const STOP = /, (?:멈추기|바꾸기|다시 시작)$/

export { expect } from './spec/assertions.ts'
export { covers, type Sentences } from './spec/covers.ts'

/**
 * How long a comparison of book and broker may take, ms: the broker answers one question about orders a second and one about
 * holdings in two, regular readings come in between, and it is asked anew while trades go on.
 */
export const BROKER_MS = 60_000

/** Goes on within the client, as a link does: without loading everything anew. */
export async function go(page: Page, path: string): Promise<void> {
  const samePage = path.split('?')[0] === new URL(page.url()).pathname
  await page.evaluate(
    `globalThis.before = document.querySelector('h1'); history.pushState(null, '', ${JSON.stringify(path)})`,
  )
  // waitForFunction cannot do it: the page's security policy forbids its later looks.
  if (!samePage) await expect.poll(() => page.evaluate('before?.isConnected === true')).toBe(false)
}

/** The page is there and has what it wanted: no task runs, fonts are there. */
export async function settled(page: Page): Promise<void> {
  // Playwright looks again after a quarter of a second, then half of one: most pages are there before.
  const there = page.evaluate(THERE).catch(() => undefined)
  await Promise.race([there, setTimeout(2_000, undefined, { ref: false })])
  await expect(page.locator('main').first()).toBeVisible()
  await expect(page.locator('[aria-label="처리 중"], [aria-label="불러오는 중"]')).toHaveCount(0)
  await page.evaluate('document.fonts.ready.then(() => true)')
}

const THERE = `new Promise((done) => {
  const isThere = () => document.querySelector('main')?.checkVisibility() &&
    document.querySelector('[aria-label="처리 중"], [aria-label="불러오는 중"]') === null
  if (isThere()) return done()
  const watch = new MutationObserver(() => isThere() && (watch.disconnect(), done()))
  watch.observe(document, { subtree: true, childList: true, attributes: true })
})`

/** Charts and lists follow the size of what is in them a frame later. */
export const drawn = (page: Page) =>
  page.evaluate(
    'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(done))))',
  )

/** What lies off the screen keeps the colours of its last drawing, or is not drawn at all, unless it must be. */
export async function drawAll(page: Page): Promise<void> {
  await page.evaluate(`
    document.adoptedStyleSheets.push(new CSSStyleSheet())
    document.adoptedStyleSheets.at(-1).replaceSync('* { content-visibility: visible !important }')`)
}

/** The button of a sale says how much it sells, and at what. */
export const SELL = /^[\d,]+주 .*에 매도/

/** A button by its text, or a field and what is typed into it. */
export type Step = string | RegExp | [field: string, text: string]

/** Presses and types, one after the other. */
export async function take(page: Page, steps: readonly Step[]): Promise<void> {
  for (const step of steps) {
    if (typeof step === 'object' && !(step instanceof RegExp)) {
      await page.getByLabel(step[0], { exact: true }).fill(step[1])
    } else {
      // What was opened last lies on top.
      const exact = typeof step === 'string'
      await page.getByRole('button', { name: step, exact }).filter({ visible: true }).last().click()
    }
  }
}
