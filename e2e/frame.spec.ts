import type { Page } from '@playwright/test'
import { expect, go, settled, STOP, take, test } from './test.ts'

/** Contrast of a text on its own ground, as drawn; 1 is none. */
const contrastOf = (page: Page, selector: string): Promise<number> =>
  page.evaluate(`(() => {
    const { color, backgroundColor } = getComputedStyle(document.querySelector(${JSON.stringify(selector)}))
    const light = (text) => {
      const parts = text.match(/[\\d.]+/g).slice(0, 3).map((part) => part / 255)
      const [r, g, b] = parts.map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
      return 0.2126 * r + 0.7152 * g + 0.0722 * b
    }
    const [dark, bright] = [light(color), light(backgroundColor)].toSorted((a, b) => a - b)
    return (bright + 0.05) / (dark + 0.05)
  })()`)

/** One of the chips of the page, not the row of its menu. */
const chip = (page: Page, name: string) => page.getByRole('main').getByRole('button', { name, exact: true })

/** What stands in the top bar, and how far from its edges: nothing touches them, nothing lies over another. */
const BAR = `(() => {
  const bar = document.querySelector('header').getBoundingClientRect()
  const texts = [...document.querySelectorAll('#root > div > header :is(b, strong, em, button, span)')]
    .filter((one) => one.checkVisibility() && one.querySelector(':not(wbr)') === null && one.textContent.trim() !== '')
  return texts.map((one) => {
    const { top, bottom, left, right } = one.getBoundingClientRect()
    return { text: one.textContent, above: top - bar.top, below: bar.bottom - bottom, left: left - bar.left, right: bar.right - right }
  })
})()`

interface Placed {
  text: string
  above: number
  below: number
  left: number
  right: number
}

test.describe('the frame of every page', { tag: '@fixture' }, () => {
  test.afterEach(({ site }) => {
    site.fixture?.state.stops.users.clear()
  })

  for (const colorScheme of ['light', 'dark'] as const)
    test(`the mark ME can be read, ${colorScheme}`, async ({ page, enter }) => {
      await page.emulateMedia({ colorScheme })
      await enter('admin', '/u1/balance')
      await expect(page.getByRole('banner').locator('strong')).toHaveText('ME')
      expect(await contrastOf(page, '#root > div > header strong')).toBeGreaterThanOrEqual(4.5)
    })

  for (const width of [320, 390])
    test(`an administrator’s top bar on another’s page touches no edge at ${width} px`, async ({ page, enter }) => {
      await page.setViewportSize({ width, height: 700 })
      await enter('admin', '/u1/balance')
      await settled(page)
      const placed = await page.evaluate<Placed[]>(BAR)
      expect(placed.map(({ text }) => text)).toEqual(expect.arrayContaining(['minji@example.com', 'ME', '시뮬레이터']))
      expect(placed.filter(({ above, below, left, right }) => Math.min(above, below, left, right) < 3)).toEqual([])
    })

  test('the state is quiet, amber while buying is stopped, and red only when all stands still', async ({
    page,
    enter,
    site,
  }) => {
    const ground = () => page.evaluate<string>(`getComputedStyle(document.querySelector('header')).backgroundColor`)
    const [white, red] = ['rgb(255, 255, 255)', 'rgb(197, 34, 31)']
    await enter('user', '/user/money')
    const stop = page.getByRole('button', { name: STOP })
    await expect(stop).toHaveAccessibleName('매매 중, 멈추기')
    await expect(stop).toHaveText('멈추기')
    expect(await ground()).toBe(white)
    site.fixture?.state.stops.users.set('u1', 'reduce')
    await page.reload()
    await expect(stop).toHaveAccessibleName('매수 멈춤, 바꾸기')
    expect(await ground()).toBe(white)
    await expect(page.getByRole('status').filter({ hasText: '이 계좌 매수 멈춤.' })).toHaveCSS(
      'background-color',
      'rgb(255, 244, 214)',
    )
    site.fixture?.state.stops.users.set('u1', 'halt')
    await page.reload()
    await expect(stop).toHaveAccessibleName('모두 멈춤, 다시 시작')
    await expect.poll(ground).toBe(red)
    await take(page, [STOP, '이 계좌 · 매매 중'])
    await expect(page.getByRole('alertdialog')).toContainText('매매 중으로 바꿀까요?')
  })

  test('the bottom bar leads to what is looked at most, marks it, and opens the menu', async ({ page, enter }) => {
    await enter('user', '/user/stock/005930/trade')
    const bar = page.getByRole('navigation', { name: '바로 가기' })
    await expect(bar.getByRole('link')).toHaveText(['잔고', '종목', '주문', '손익'])
    await expect(bar.getByRole('link', { name: '종목' })).toHaveAttribute('aria-current', 'true')
    for (const [name, path] of [
      ['잔고', '/user/balance'],
      ['주문', '/user/kis/order'],
      ['손익', '/user/gain'],
      ['종목', '/user/stock'],
    ] as const) {
      await bar.getByRole('link', { name }).click()
      await expect(page).toHaveURL(new RegExp(`${path}$`))
      await expect(bar.locator('[aria-current]')).toHaveText([name])
    }
    const more = bar.getByRole('button', { name: '더보기' })
    await more.click()
    const menu = page.getByRole('dialog', { name: '메뉴' })
    await expect(menu.getByRole('link', { name: '시세 연결' })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(menu).toHaveCount(0)
    await expect(more).toBeFocused()
  })

  test('an administrator’s bottom bar is about all users, and about one on that user’s pages', async ({
    page,
    enter,
  }) => {
    await enter('admin', '/user/admin/user')
    const bar = page.getByRole('navigation', { name: '바로 가기' })
    await expect(bar.getByRole('link')).toHaveText(['사용자', '종목', '주문', '손익'])
    await bar.getByRole('link', { name: '주문' }).click()
    await expect(page).toHaveURL(/\/user\/admin\/kis\/order$/)
    await page.goto('/u1/balance')
    await bar.getByRole('link', { name: '손익' }).click()
    await expect(page).toHaveURL(/\/u1\/gain$/)
    await page.getByRole('button', { name: '더보기' }).click()
    const rows = await page.getByRole('dialog', { name: '메뉴' }).getByRole('link').allTextContents()
    expect(new Set(rows).size).toBe(rows.length)
  })

  test('the end of a page is above the bottom bar, which stays where it is', async ({ page, enter }) => {
    await enter('user', '/user/gain?fromDate=20261101&toDate=20261130')
    await settled(page)
    const bar = page.getByRole('navigation', { name: '바로 가기' })
    const before = await bar.boundingBox()
    await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)')
    expect(await bar.boundingBox()).toEqual(before)
    const ends = await page.evaluate<number[]>(
      `[document.querySelector('main').getBoundingClientRect().bottom, document.querySelector('nav[aria-label="바로 가기"]').getBoundingClientRect().top]`,
    )
    // Scrolling ends at whole pixels.
    expect(ends[0]).toBeLessThan((ends[1] ?? 0) + 1)
  })

  test('nothing of the frame moves while a page comes', async ({ page, enter }) => {
    await page.addInitScript(`
      globalThis.moved = []
      new PerformanceObserver((list) => {
        for (const { sources, hadRecentInput } of list.getEntries())
          if (!hadRecentInput) for (const { node } of sources) moved.push(node?.nodeType === 1 ? node : node?.parentElement)
      }).observe({ type: 'layout-shift', buffered: true })`)
    await enter('user', '/user/balance')
    await settled(page)
    await expect(page.getByRole('button', { name: '매매 중, 멈추기' })).toBeVisible()
    const moved = `moved.filter((one) => one?.closest('header, nav')).map((one) => one.outerHTML.slice(0, 120))`
    expect(await page.evaluate<string[]>(moved)).toEqual([])
  })

  for (const viewport of [
    { width: 390, height: 844 },
    { width: 1440, height: 900 },
  ])
    test(`what stands for the cards is where they will be, at ${viewport.width} px`, async ({ page, enter }) => {
      await page.setViewportSize(viewport)
      const answered = Promise.withResolvers<void>()
      await page.route('**/api/user/balance?*', async (route) => {
        await answered.promise
        await route.continue()
      })
      await enter('user', '/user/balance')
      const placeholder = page.getByLabel('불러오는 중').locator('span').nth(1)
      await expect(placeholder).toBeVisible()
      const before = await placeholder.boundingBox()
      answered.resolve()
      const card = page.getByRole('article').first()
      await expect(card).toBeVisible()
      const after = await card.boundingBox()
      for (const side of ['x', 'y', 'width', 'height'] as const)
        expect(Math.abs((before?.[side] ?? 0) - (after?.[side] ?? Infinity)), side).toBeLessThan(40)
    })

  test('from 1280 px on a rail of 224 px stands in for the bottom bar', async ({ page, enter }) => {
    await enter('user', '/user/balance')
    const bar = page.getByRole('navigation', { name: '바로 가기' })
    await page.setViewportSize({ width: 1279, height: 800 })
    await expect(bar).toBeVisible()
    await page.setViewportSize({ width: 1280, height: 800 })
    await expect(bar).toBeHidden()
    const rail = page.getByRole('complementary')
    expect((await rail.boundingBox())?.width).toBe(224)
  })

  test('the broker’s balance without a user id is mine', async ({ page, enter }) => {
    await enter('user', '/kis/balance')
    await expect(page).toHaveURL(/\/user\/kis\/balance$/)
    await expect(page.getByText('주문 가능 금액', { exact: true })).toBeVisible()
  })

  for (const [who, path] of [
    ['user', '/u2/gain'],
    ['admin', '/nobody/balance'],
  ] as const)
    test(`${path} is refused to ${who}: no false alarm, no id for a name, a way home`, async ({ page, enter }) => {
      await page.route('**/api/nobody/**', (route) =>
        route.fulfill({ status: 403, json: { code: 'FORBIDDEN', message: '권한이 없습니다.' } }),
      )
      await enter(who, path)
      await expect(page.getByRole('heading', { name: '볼 수 없는 화면' })).toBeVisible()
      await settled(page)
      await expect(page.getByText('실시간 연결이 끊겼습니다.')).toHaveCount(0)
      await expect(page.getByText('상태 모름')).toHaveCount(0)
      await expect(page.getByRole('banner')).not.toContainText(path.split('/')[1] ?? '')
      await page.getByRole('link', { name: '처음 화면으로 가기' }).click()
      await expect(page).toHaveURL(who === 'user' ? /\/user\/balance$/ : /\/user\/admin\/user$/)
    })
})

for (const [reducedMotion, fades] of [
  ['no-preference', 1],
  ['reduce', 0],
] as const)
  test.describe(`with motion: ${reducedMotion}`, { tag: '@fixture' }, () => {
    test(`the way to another page is ${fades === 1 ? 'a fade' : 'at once'}, a switch of the view always`, async ({
      page,
      enter,
    }) => {
      await page.emulateMedia({ reducedMotion })
      await page.addInitScript(`
        globalThis.fades = 0
        const start = document.startViewTransition.bind(document)
        document.startViewTransition = (update) => { fades += 1; return start(update) }`)
      await enter('user', '/user/balance')
      await page.getByRole('button', { name: '자세히', exact: true }).click()
      await expect(page).toHaveURL(/showDetail=true/)
      expect(await page.evaluate<number>('fades')).toBe(0)
      await page.getByRole('link', { name: '손익' }).click()
      await expect(page.getByRole('heading', { name: '실현 손익' })).toBeFocused()
      expect(await page.evaluate<number>('fades')).toBe(fades)
    })
  })

test.describe('chips', { tag: '@fixture' }, () => {
  const switches = [
    ['/user/balance', '누적 손익', 'withSavedGain=false', true],
    ['/user/balance', '자세히', 'showDetail=true', false],
    ['/user/stock', '지켜보는 것만', 'showOnlyWatch=false', true],
    ['/user/stock/005930/trade', '지난 매매', 'withOldTrade=true', false],
    ['/user/kis/ordered', '종목별 합계', 'merged=false', true],
    ['/user/kis/ordered', '누르면 종목 고르기', 'filterWithCode=true', false],
  ] as const
  test('each shows its state and writes the query of the menu', async ({ page, enter }) => {
    await enter('user', '/user/password')
    for (const [path, name, query, isOn] of switches)
      await test.step(`${name} of ${path}`, async () => {
        await go(page, path)
        await expect(chip(page, name)).toHaveAttribute('aria-pressed', String(isOn))
        await chip(page, name).click()
        await expect(page).toHaveURL(new RegExp(query))
        await expect(chip(page, name)).toHaveAttribute('aria-pressed', String(!isOn))
      })
  })

  test('a range of days is one line on the narrowest phone', async ({ page, enter }) => {
    await page.setViewportSize({ width: 320, height: 640 })
    await enter('user', '/user/gain?fromDate=20261101&toDate=20261130')
    const range = page.getByText('2026-11-01 ~ 2026-11-30', { exact: true })
    await expect(range).toBeVisible()
    expect((await range.boundingBox())?.height).toBeLessThan(30)
  })

  test('a row of chips scrolls by itself and never widens the page', async ({ page, enter }) => {
    await page.setViewportSize({ width: 320, height: 640 })
    await enter('user', '/user/kis/ordered')
    await settled(page)
    // A phone zooms out of a page that is too wide: its own measure grows along.
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(320)
    await chip(page, '360일').scrollIntoViewIfNeeded()
    await expect(chip(page, '360일')).toBeInViewport()
  })

  const ranges = [
    ['/user/gain', '올해', /fromDate=\d{4}0101&toDate=\d{4}1231$/],
    ['/user/money', '지난달', /fromDate=\d{6}01&toDate=\d{8}$/],
    ['/user/kis/ordered', '90일', /fromDate=\d{8}&toDate=\d{8}$/],
  ] as const
  test('a range is one of many', async ({ page, enter }) => {
    await enter('user', '/user/password')
    for (const [path, name, query] of ranges)
      await test.step(`${name} of ${path}`, async () => {
        await go(page, path)
        await chip(page, name).click()
        await expect(page).toHaveURL(query)
        const chosen = page.getByRole('group', { name: '기간' }).locator('[aria-pressed=true]')
        await expect(chosen).toHaveText(name)
      })
  })
})
