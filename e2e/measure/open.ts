import type { Browser, CDPSession, Page } from '@playwright/test'
import type { Fixture } from '../fixture/server.ts'
import type { FixtureState } from '../fixture/state.ts'
import { prepare } from './watch.ts'

/** Prices are bundled ten times a second, as the server does. */
export const INTERVAL_MS = 100
export const BALANCE = '/user/balance'
export const TRADE = '/user/stock/005930/trade'

export interface Opened {
  page: Page
  session: CDPSession
}

/** A page of the first person in a context, and so in a process, of its own. */
export async function open(browser: Browser, { url }: Fixture, path: string, wide: boolean): Promise<Opened> {
  const viewport = wide ? { width: 1920, height: 1080 } : { width: 390, height: 844 }
  const page = await browser.newPage({ viewport, deviceScaleFactor: wide ? 1 : 2 })
  await page.request.post(`${url}/api/login`, { data: { email: 'minji@example.com', password: 'digger-minji' } })
  await page.goto(url + path)
  await page
    .getByRole('main')
    .getByText(path === TRADE ? '잔고 확인' : '총자산')
    .first()
    .waitFor()
  await page.waitForLoadState('networkidle', { timeout: 3_000 }).catch(() => undefined)
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable')
  await prepare(page)
  return { page, session }
}

/** Turns until a price that rose falls again. */
const WAVE = 200

/** Moves this many prices every tenth of a second; the first stock's, which a trade page shows, always. */
export function trade(state: FixtureState, changes: number): NodeJS.Timeout {
  let turn = 0
  return setInterval(() => {
    turn += 1
    const step = Math.floor(turn / WAVE) % 2 === 0 ? 5 : -5
    const stocks = state.of('u1')
    const others = Array.from({ length: changes - 1 }, (_, index) => stocks[(turn * 7 + index * 4) % stocks.length])
    const moved = new Set([...stocks.slice(0, 1), ...others.filter((stock) => stock !== undefined)])
    const prices = [...moved].map(({ code, price }) => ({ code, price: (price ?? 10_000) + step }))
    state.setPrices('u1', prices)
  }, INTERVAL_MS)
}
