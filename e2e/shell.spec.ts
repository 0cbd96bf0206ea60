import { covers, expect, go, settled, test, STOP } from './test.ts'

test(
  'paths without a user mean me, unknown ones are answered kindly',
  covers('a path without a user id means the word user'),
  async ({ page, enter }) => {
    await enter('user', '/balance?showDetail=true')
    await expect(page).toHaveURL(/\/user\/balance\?showDetail=true$/)
    await page.goto('/user/nowhere')
    await expect(page.getByText('찾으시는 화면이 없습니다')).toBeVisible()
    await page.getByRole('link', { name: '처음 화면으로 가기' }).click()
    await expect(page).toHaveURL(/\/user\/balance$/)
  },
)

test(
  'a user sees the account section and no administrator’s things',
  {
    tag: '@wide',
    ...covers(
      'top bar: menu toggle, user name to home, socket icon for admins only',
      'side menu: user section hidden for an admin on the word user, admin section, logout, password',
      'socket icon and admin menu are for admins',
    ),
  },
  async ({ page, enter, isMobile, site }) => {
    await enter('user', '/user/balance')
    if (isMobile) await page.getByRole('button', { name: '메뉴 열기' }).click()
    const menu = page.getByRole('navigation', { name: '주 메뉴' }).filter({ visible: true })
    await expect(menu.getByRole('link', { name: '잔고', exact: true })).toHaveAttribute('aria-current', 'page')
    await expect(menu.getByText('관리자')).toHaveCount(0)
    await expect(page.getByRole('link', { name: /^시세 연결(됨| 끊김)$/ })).toHaveCount(0)
    await page.evaluate('globalThis.sameDocument = true')
    await menu.getByRole('link', { name: '실현 손익' }).click()
    await expect(page).toHaveURL(/\/user\/gain$/)
    expect(await page.evaluate('globalThis.sameDocument')).toBe(true)
    await expect(page.getByRole('button', { name: '메뉴 닫기' })).toHaveCount(0)
    await expect(page.getByRole('heading', { name: '실현 손익' })).toBeFocused()
    await page.getByRole('banner').getByRole('link', { name: site.user.email }).click()
    await expect(page).toHaveURL(/\/user\/balance$/)
  },
)

test(
  'an administrator’s own menu has no account section; another’s page keeps that user in its links',
  {
    tag: '@wide',
    ...covers(
      'in links {userId} is taken from the current path',
      'top bar: menu toggle, user name to home, socket icon for admins only',
      'side menu: user section hidden for an admin on the word user, admin section, logout, password',
      'an admin on another’s page sees that e-mail plus their own marked ME',
      'clicking the e-mail goes to that user’s balance',
      'socket icon and admin menu are for admins',
    ),
  },
  async ({ page, enter, isMobile, site }) => {
    await enter('admin', '/user/admin/user')
    await expect(page.getByRole('link', { name: /^시세 연결(됨| 끊김)$/ })).toBeVisible()
    const open = async () => {
      if (isMobile) await page.getByRole('button', { name: '메뉴 열기' }).click()
    }
    const menu = page.getByRole('navigation', { name: '주 메뉴' }).filter({ visible: true })
    await open()
    await expect(menu.getByText('계좌')).toHaveCount(0)
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: site.user.email }).click()
    await expect(page).toHaveURL(/\/[^/]+\/balance$/)
    await expect(page.getByRole('banner')).toContainText(site.user.email)
    await expect(page.getByRole('banner')).toContainText(`${site.admin.email} ME`)
    const user = new URL(page.url()).pathname.split('/')[1] ?? ''
    expect(user).not.toBe('user')
    await open()
    await menu.getByRole('link', { name: '종목', exact: true }).first().click()
    await expect(page).toHaveURL(new RegExp(`/${user}/stock$`))
  },
)

test('a sheet that is left by going back is gone, and nothing was chosen', async ({ page, enter }) => {
  await enter('user', '/user/money')
  await settled(page)
  await go(page, '/user/balance')
  await page.getByRole('button', { name: '잔고 메뉴' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(1)
  await page.goBack()
  await expect(page.getByRole('heading', { name: '자산 내역', level: 1 })).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  await expect(page).toHaveURL(/\/user\/money$/)
})

test('the environment and the stop are on every screen', async ({ page, enter }) => {
  await enter('user', '/user/money')
  await expect(page.getByRole('banner')).toContainText('시뮬레이터')
  await expect(page.getByRole('button', { name: '매매 중, 멈추기' })).toBeVisible()
})

test('stopping is at once and stays in sight, going on is asked for', async ({ page, enter }) => {
  await enter('user', '/user/balance')
  await page.getByRole('button', { name: STOP }).click()
  await expect(page.getByRole('button', { name: /서버 전체/ })).toHaveCount(0)
  await page.getByRole('button', { name: '이 계좌 · 매수 멈춤' }).click()
  await expect(page.getByText('이 계좌 매수 멈춤.')).toBeVisible()
  await page.reload()
  await expect(page.getByText('이 계좌 매수 멈춤.')).toBeVisible()
  await page.getByRole('button', { name: STOP }).click()
  await page.getByRole('button', { name: '이 계좌 · 매매 중' }).click()
  await page.getByRole('button', { name: '다시 시작' }).click()
  await expect(page.getByText('이 계좌 매수 멈춤.')).toHaveCount(0)
})

test(
  'a sheet is as tall as its rows, closes by title, overlay and Escape, and moves by arrows',
  {
    tag: '@wide',
    ...covers(
      'clicking the overlay or the title closes it',
      'overlay by the counter, sheet open or closed',
      'sheet: rows and title 60 px, capped, recalculated on resize',
    ),
  },
  async ({ page, enter }) => {
    await enter('user', '/user/balance')
    const menu = page.getByRole('button', { name: '잔고 메뉴' })
    const sheet = page.getByRole('dialog', { name: '잔고' })
    await menu.click()
    await settled(page)
    await expect(async () => expect((await sheet.boundingBox())?.height).toBe(180)).toPass()
    await sheet.getByRole('button', { name: '잔고 닫기' }).click()
    await expect(sheet).toHaveCount(0)
    await menu.click()
    await page.mouse.click(20, 20)
    await expect(sheet).toHaveCount(0)
    await menu.click()
    await sheet.getByRole('button', { name: '누적 손익 빼고 보기' }).focus()
    await page.keyboard.press('ArrowDown')
    await expect(sheet.getByRole('button', { name: '자세히 보기' })).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(sheet).toHaveCount(0)
    await expect(menu).toBeFocused()
    await menu.click()
    await page.setViewportSize({ width: 390, height: 150 })
    await expect(async () => expect((await sheet.boundingBox())?.height).toBe(150)).toPass()
  },
)

test('a menu that was opened before the page was whole stays open', async ({ page, enter }) => {
  const held = Promise.withResolvers<void>()
  await page.route(/\/api\/user\/user$/, async (route) => {
    await held.promise
    await route.continue()
  })
  await enter('user', '/user/balance')
  await page.getByRole('button', { name: '메뉴 열기' }).click()
  const menu = page.getByRole('dialog', { name: '메뉴' })
  await expect(menu).toBeVisible()
  const answered = page.waitForResponse(/\/api\/user\/user$/)
  held.resolve()
  await answered
  await expect(page.getByText('시뮬레이터')).toBeVisible()
  await expect(menu).toBeVisible()
})

test(
  'below 1280 px the menu is behind its button, from there on it stands beside the page',
  covers('breakpoints: mobile is below lg, 1280 px'),
  async ({ page, enter }) => {
    await enter('user', '/user/password')
    const button = page.getByRole('button', { name: '메뉴 열기' })
    const menu = page.getByRole('navigation', { name: '주 메뉴' }).filter({ visible: true })
    await page.setViewportSize({ width: 1279, height: 800 })
    await expect(button).toBeVisible()
    await expect(menu).toHaveCount(0)
    await page.setViewportSize({ width: 1280, height: 800 })
    await expect(menu).toBeVisible()
    await expect(button).toBeHidden()
  },
)

test(
  'the theme has its two colours and a font of its own in every weight',
  covers('theme: primary #1867C0, secondary #5CBBF6', 'a font family with weights 100 to 900'),
  async ({ page, enter }) => {
    await enter('user', '/user/password')
    await settled(page)
    const value = (name: string) =>
      page.evaluate<string>(
        `getComputedStyle(document.documentElement).getPropertyValue('${name}').trim().toLowerCase()`,
      )
    expect([await value('--primary'), await value('--secondary')]).toEqual(['#1867c0', '#5cbbf6'])
    expect(await page.evaluate<string>('getComputedStyle(document.body).fontFamily')).toMatch(/^"?Pretendard/)
    // What the first picture needs comes first, in the weights it has; the whole font follows.
    const inEveryWeight = `[...document.fonts].some(({ weight }) => {
    const [from, to] = weight.split(' ').map(Number)
    return from <= 100 && to >= 900
  })`
    await expect.poll(() => page.evaluate(inEveryWeight)).toBe(true)
    const fonts = await page.evaluate<string[]>(
      `performance.getEntriesByType('resource').map(({ name }) => name).filter((name) => name.endsWith('.woff2'))`,
    )
    expect(fonts.length).toBeGreaterThan(0)
    for (const font of fonts) expect(new URL(font).origin).toBe(new URL(page.url()).origin)
  },
)
