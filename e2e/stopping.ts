import { AxeBuilder } from '@axe-core/playwright'
import type { APIRequestContext, Browser, Page } from '@playwright/test'
import { demoCredentials } from '@digger/kis-sim'
import type { FixtureState } from './fixture/state.ts'
import { BROKER_MS, expect, take, test, STOP } from './test.ts'
import { joinAndAddStocks } from './may-add.ts'

/** What the tests of the stop and of its link share. */

export const ALL = '모두 취소하고 멈춤'
export const HALTED = '모두 멈춤, 다시 시작'
export const question = (page: Page) => page.getByRole('alertdialog')
export const noOrders = (page: Page) => page.getByText('기다리는 주문이 없습니다')
export const panel = (page: Page) => page.getByRole('region', { name: '멈춤 링크' })
export const pressAll = (page: Page) => take(page, [STOP, ALL])

/** The whole address of a link that was just made; it is shown on this page only. */
export async function makeLink(page: Page, button: string): Promise<string> {
  const field = page.getByLabel('새 멈춤 링크')
  await panel(page).getByRole('button', { name: button, exact: true }).click()
  if (button === '새로 만들기') {
    // The one before stays until the new one is there.
    const before = await field.inputValue()
    await question(page).getByRole('button', { name: button }).click()
    await expect(field).not.toHaveValue(before)
  }
  await expect(field).toHaveValue(/\/halt#[\w-]{43}$/)
  return field.inputValue()
}

/** Opens an address where nobody has ever logged in. */
export async function asStranger(browser: Browser, address: string, use: (page: Page) => Promise<void>): Promise<void> {
  const context = await browser.newContext({ locale: 'ko-KR', viewport: { width: 390, height: 844 } })
  try {
    const page = await context.newPage()
    await page.goto(address)
    await use(page)
    expect(await context.cookies()).toEqual([])
  } finally {
    await context.close()
  }
}

/** What is wrong for people who do not see the page, or cannot read grey on white. */
export async function barriers(page: Page): Promise<string[]> {
  await page.evaluate('Promise.all(document.getAnimations().map(({ finished }) => finished)).catch(() => null)')
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] })
  const { violations } = await axe.analyze()
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
}

/** What is stopped or cancelled is not to be met by other tests of the same fixture. */
export function goOn(state: FixtureState | undefined): void {
  state?.cancelled.clear()
  state?.stops.users.clear()
  state?.stopLinks.clear()
  if (state) state.foreign = []
}

export const CODE = '017670'

/** Buys a few shares one by one at whatever price, and rests a sale for each, far above. */
export const TRADES = {
  maxBuyPrice: 900_000,
  maxBuyAmount: 200_000,
  buyUnitPrice: 1,
  lastBuyPrice: null,
  recoverLastBuyPrice: true,
  autoBuy: true,
  buyPercent: -0.1,
  autoSell: true,
  sellPercent: 15,
  useMinSellPrice: false,
  minSellPrice: null,
  autoSellWithAvgPrice: false,
}

interface OpenOrder {
  readonly auto: boolean
  readonly orderType: string
}

/** What somebody of the real server does without a page. */
export class Trader {
  readonly #request: APIRequestContext
  readonly #customer: number

  /** `customer`: one of the pretend broker's whom no other test uses. */
  constructor({ request }: { readonly request: APIRequestContext }, customer: number) {
    this.#request = request
    this.#customer = customer
  }

  async post(path: string, data?: object): Promise<void> {
    const reply = await this.#request.post(path, { data })
    expect(reply.ok(), `${path}: ${await reply.text()}`).toBe(true)
  }

  /** Signs up, logs in, and trades until automatic sales rest. */
  async begin(): Promise<void> {
    const { appKey, appSecret, accountNumber, htsId } = demoCredentials(this.#customer)
    const person = { email: `pocket${this.#customer}@example.com`, password: 'digger-pocket' }
    await test.step('somebody trades', async () => {
      await joinAndAddStocks(this.#request, person, { appKey, appSecret, accountNumber, htsId })
      await this.post(`/api/user/stock/${CODE}`, TRADES)
      await expect.poll(() => this.sales(true), { timeout: 3 * BROKER_MS }).toBeGreaterThan(0)
    })
  }

  async orders(): Promise<OpenOrder[]> {
    return (await this.#request.get('/api/user/kis/order')).json()
  }

  /** How many sales rest, placed by the rules or by hand. */
  async sales(auto: boolean): Promise<number> {
    return (await this.orders()).filter((order) => order.orderType === 'SELL' && order.auto === auto).length
  }

  async stop(): Promise<string> {
    const { user }: { user: string } = await (await this.#request.get('/api/user/stop')).json()
    return user
  }

  /** From now on nothing trades by itself, and nothing rests but what a person orders. Resolves to the price of the stock, won. */
  async tradeByHandOnly(): Promise<number> {
    const { version, price }: { version: number; price: number } = await (
      await this.#request.get(`/api/user/stock/${CODE}`)
    ).json()
    await this.post(`/api/user/stock/${CODE}`, { ...TRADES, autoBuy: false, autoSell: false, version })
    const rest = async () => {
      await this.#request.post('/api/user/balance/cancel')
      return (await this.orders()).length
    }
    await expect.poll(rest, { timeout: 2 * BROKER_MS, intervals: [2_000] }).toBe(0)
    return price
  }

  /** Sells by hand at a price. A sale that is just being cancelled must end first. */
  async sellAt(price: number): Promise<number> {
    const sold = async () => (await this.#request.post(`/api/user/stock/${CODE}/sell/price?sellPrice=${price}`)).ok()
    await expect.poll(sold, { timeout: 2 * BROKER_MS, intervals: [2_000] }).toBe(true)
    await expect.poll(() => this.sales(false), { timeout: BROKER_MS }).toBeGreaterThan(0)
    return this.sales(false)
  }
}
