import type { Reply } from '@digger/contract'
import { covers, drawn, expect, settled, test } from './test.ts'

/** Prices that move here are those of the tests that come after. */
let before: Reply<'stocks'> = []
test.beforeEach(({ site }) => {
  before = (site.fixture?.state.of('u1') ?? []).map((stock) => ({ ...stock }))
})
test.afterEach(({ site }) => {
  for (const stock of before) site.fixture?.state.put('u1', stock)
})

test(
  'a page that fails says so and offers another try; it never looks empty',
  covers('a caller’s handler is called'),
  async ({ page, enter }) => {
    // There is no stream: a trade would have the page read anew before anybody presses.
    await page.route('**/events', (route) => route.abort())
    let failing = true
    await page.route('**/api/*/balance?*', (route) =>
      failing
        ? route.fulfill({ status: 422, json: { code: 'REJECTED', message: '증권사가 거절했습니다.' } })
        : route.continue(),
    )
    await enter('user', '/user/balance')
    await expect(page.getByRole('alert')).toContainText('증권사가 거절했습니다.')
    await expect(page.getByText('보유한 종목이 없습니다')).toHaveCount(0)
    failing = false
    await page.getByRole('button', { name: '다시 시도' }).click()
    await expect(page.getByText('총자산')).toBeVisible()
  },
)

test('what was read stays on screen with its time when reading again fails', async ({ page, enter, isMobile }) => {
  await enter('user', '/user/money')
  await settled(page)
  await expect(page.getByText('총자산').first()).toBeVisible()
  await page.route('**/api/*/money?*', (route) =>
    route.fulfill({ status: 500, json: { code: 'INTERNAL', message: '서버 문제' } }),
  )
  await page.getByRole('button', { name: '자산 내역 메뉴' }).click()
  await page.getByRole('button', { name: '은행 잔고 적기' }).click()
  await page.getByLabel('금액').fill('5,000,000')
  await page.getByRole('button', { name: '확인' }).click()
  await expect(page.getByText(/\d\d:\d\d:\d\d 기준입니다/)).toBeVisible()
  await expect(page.getByText('총자산').first()).toBeVisible()
  expect(typeof isMobile).toBe('boolean')
})

test('an empty page says what would be there', async ({ page, enter }) => {
  await page.route('**/api/*/balance?*', (route) =>
    route.fulfill({
      json: {
        depositAmount: 1_000,
        stockBuyAmount: 0,
        stockValueAmount: 0,
        totalAmount: 1_000,
        today: { realised: 0, realisedNet: 0, open: 0 },
        accGainAmount: 0,
        list: [],
      } satisfies Reply<'balance'>,
    }),
  )
  await enter('user', '/user/balance')
  await expect(page.getByText('보유한 종목이 없습니다')).toBeVisible()
  await expect(page.getByText('1,000원').first()).toBeVisible()
})

test('no reply at all is shown as a lost connection', async ({ page, enter }) => {
  await enter('user', '/user/password')
  await page.route('**/api/*/gain?*', (route) => route.abort())
  await page.route('**/api/*/balance/gain?*', (route) => route.abort())
  await page.goto('/user/gain')
  await expect(page.getByText('서버에 연결할 수 없습니다')).toBeVisible({ timeout: 15_000 })
})

test(
  'a price moves its card at once, without another request and without moving anything else',
  { tag: '@fixture' },
  async ({ page, enter, site }) => {
    await enter('user', '/user/balance')
    await settled(page)
    const card = page.getByRole('article', { name: '삼성전자' })
    await expect(card).toContainText('71,200원')
    // Nothing arrives before the stream is open; one that opens late has what is older read anew, once.
    await expect(async () => {
      site.fixture?.state.setPrice('u1', '005930', 71_300)
      await expect(card).toContainText('71,300원', { timeout: 200 })
    }).toPass()
    const box = await card.boundingBox()
    let requests = 0
    page.on('request', (request) => (requests += Number(request.url().includes('/api/'))))
    site.fixture?.state.setPrice('u1', '005930', 123_400)
    await expect(card).toContainText('123,400원')
    expect(requests).toBe(0)
    expect(await card.boundingBox()).toEqual(box)
  },
)

test('one price redraws one card', { tag: '@fixture' }, async ({ page, enter, site }) => {
  const state = site.fixture?.state
  // What is late counts its seconds.
  for (const stock of state?.of('u1') ?? []) if (stock.due) state?.put('u1', { ...stock, due: null })
  await enter('user', '/user/balance')
  await settled(page)
  // A price that is a minute old has its time beside it, and that changes by itself.
  const old = page.getByRole('main').getByText(/^(?:체결|지연) /)
  await expect(async () => {
    state?.setPrices(
      'u1',
      state.of('u1').flatMap(({ code, price }) => (price === null ? [] : [{ code, price }])),
    )
    await expect(old).toHaveCount(0, { timeout: 200 })
  }).toPass()
  // Cards without that line are lower, and so is the list, a frame later.
  await drawn(page)
  await page.evaluate(`globalThis.drawn = new Set();
    const watch = new MutationObserver((changes) => changes.forEach(({ target }) =>
      drawn.add((target.nodeType === 3 ? target.parentElement : target).closest('article')?.getAttribute('aria-label') ?? 'page')));
    watch.observe(document.querySelector('main ul'), { subtree: true, childList: true, characterData: true, attributes: true })`)
  await expect(async () => {
    state?.setPrice('u1', '000660', 250_000)
    await expect(page.getByRole('article', { name: 'SK하이닉스' })).toContainText('250,000원', { timeout: 200 })
  }).toPass()
  expect(await page.evaluate<string[]>('[...drawn]')).toEqual(['SK하이닉스'])
})

test(
  'a lost stream is shown, and comes back by itself with what was missed',
  { tag: '@fixture' },
  async ({ page, enter, site }) => {
    await enter('user', '/user/balance')
    await settled(page)
    await page.route('**/events', (route) => route.abort())
    // One that is not there yet cannot be cut.
    await expect(async () => {
      site.fixture?.cutStreams()
      await expect(page.getByText('실시간 연결이 끊겼습니다.')).toBeVisible({ timeout: 1_000 })
    }).toPass()
    site.fixture?.state.setPrice('u1', '035720', 50_000)
    await page.unroute('**/events')
    await expect(page.getByText('실시간 연결이 끊겼습니다.')).toHaveCount(0, { timeout: 15_000 })
    await expect(page.getByRole('article', { name: '카카오' })).toContainText('50,000원')
  },
)

test(
  'after a sleep the stream is opened anew and everything is read again, though nothing looked broken',
  { tag: '@fixture' },
  async ({ page, enter, site }) => {
    await page.clock.install()
    await enter('user', '/user/balance')
    await settled(page)
    await expect(page.getByText('실시간 연결이 끊겼습니다.')).toHaveCount(0)
    // Time passes with nothing running, as in a pocket.
    const opened = page.waitForRequest('**/events')
    const read = page.waitForRequest(/\/api\/user\/balance\?/)
    await page.clock.fastForward('05:00')
    await opened
    await read
    await expect(async () => {
      site.fixture?.state.setPrice('u1', '005380', 271_000)
      await expect(page.getByRole('article', { name: '현대차' })).toContainText('271,000원', { timeout: 200 })
    }).toPass()
  },
)
