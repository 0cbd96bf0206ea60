import type { Browser, BrowserContext, Page, ViewportSize } from '@playwright/test'

/** What cannot be taken back: the next test gets another context. */
const LASTING = ['addInitScript', 'exposeBinding', 'exposeFunction'] as const
const CLOCK = ['install', 'pauseAt', 'setFixedTime', 'setSystemTime'] as const
/** What tests listen to. */
const HEARD = ['console', 'dialog', 'download', 'pageerror', 'request', 'requestfinished', 'response'] as const

/** The options of a context that a test can choose. */
export interface Chosen {
  viewport: ViewportSize | null
  isMobile: boolean
  hasTouch: boolean
  colorScheme: 'light' | 'dark' | 'no-preference' | null
  reducedMotion: 'reduce' | 'no-preference' | null | undefined
  serviceWorkers: 'allow' | 'block'
  permissions: string[] | undefined
}

/**
 * One context with one page for all tests of a worker, which leave nothing behind in it: to open and to fill another one takes as long
 * as most tests do.
 */
export class Tab {
  readonly #browser: Browser
  readonly #site: string
  #open: { context: BrowserContext; page: Page; chosen: Chosen } | undefined
  #isSpoiled = false

  /** `site`: an address of the server, of which one page does nothing. */
  constructor(browser: Browser, site: string) {
    this.#browser = browser
    this.#site = site
  }

  async open(chosen: Chosen): Promise<BrowserContext> {
    if (this.#open && !this.#isSpoiled && JSON.stringify(this.#open.chosen) === JSON.stringify(chosen))
      return this.#open.context
    await this.close()
    const context = await this.#browser.newContext()
    const page = await context.newPage()
    this.#open = { context, page, chosen }
    // Workers and their caches stay, and nobody knows what was permitted.
    this.#isSpoiled = chosen.serviceWorkers === 'allow' || chosen.permissions !== undefined
    for (const name of LASTING) for (const owner of [page, context]) this.#spoils(owner, name)
    for (const name of CLOCK) this.#spoils(page.clock, name)
    // A browser keeps what was made through it: passkeys, a slow line.
    this.#spoils(context, 'newCDPSession')
    return context
  }

  #spoils<T extends object>(owner: T, name: keyof T): void {
    const method = owner[name]
    if (typeof method !== 'function') throw new Error(`no method ${String(name)}`)
    const call = (_target: object, _self: unknown, input: readonly unknown[]): unknown => {
      this.#isSpoiled = true
      return Reflect.apply(method, owner, input)
    }
    Object.defineProperty(owner, name, { value: new Proxy(method, { apply: call }) })
  }

  /** Takes back what the test did; what runs in its page ends. */
  async clean(): Promise<void> {
    if (!this.#open || this.#isSpoiled) return this.close()
    const { context, page, chosen } = this.#open
    if (page.isClosed()) return this.close()
    for (const other of context.pages()) if (other !== page) await other.close()
    for (const event of HEARD) page.removeAllListeners(event)
    await Promise.all([page, context].map((one) => one.unrouteAll({ behavior: 'ignoreErrors' })))
    const { viewport, colorScheme, reducedMotion } = chosen
    await page.emulateMedia({ media: null, colorScheme, reducedMotion: reducedMotion ?? null })
    if (viewport) await page.setViewportSize(viewport)
    await page.goto(`${this.#site}/health`)
    await page.evaluate('localStorage.clear(); sessionStorage.clear()')
    await context.clearCookies()
    await context.clearPermissions()
  }

  async close(): Promise<void> {
    const open = this.#open
    this.#open = undefined
    await open?.context.close()
  }
}
