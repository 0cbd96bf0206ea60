import { ALL, asStranger, barriers, goOn, makeLink, noOrders, panel, question, Trader } from './stopping.ts'
import { BROKER_MS, expect, go, settled, take, test } from './test.ts'

test.describe('made up', { tag: '@fixture' }, () => {
  test.afterEach(({ site }) => goOn(site.fixture?.state))

  test('a link is shown once, is replaced only when asked, and is made void', async ({ page, enter }) => {
    await enter('user', '/user/limits')
    const first = await makeLink(page, '만들기')
    await expect(panel(page)).toContainText('마지막으로 누른 때없음')
    expect(await barriers(page)).toEqual([])
    const second = await makeLink(page, '새로 만들기')
    expect(second).not.toBe(first)
    await page.reload()
    await expect(panel(page).getByRole('button', { name: '없애기' })).toBeVisible()
    await expect(page.getByLabel('새 멈춤 링크')).toHaveCount(0)
    await take(page, ['없애기'])
    await question(page).getByRole('button', { name: '취소' }).click()
    await take(page, ['없애기'])
    await question(page).getByRole('button', { name: '없애기' }).click()
    await expect(panel(page).getByRole('button', { name: '만들기', exact: true })).toBeVisible()
  })

  test('an address is copied where the browser lets us, else it is selected for the person', async ({
    page,
    context,
    enter,
  }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await enter('user', '/user/limits')
    const address = await makeLink(page, '만들기')
    await take(page, ['복사'])
    await expect(question(page)).toContainText('링크를 복사했습니다.')
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(address)
    await take(page, ['확인'])
    await page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    await take(page, ['복사'])
    await expect(question(page)).toContainText('복사하지 못했습니다.')
    const selected =
      "(({ selectionStart: from, selectionEnd: to, value }) => value.slice(from, to))(document.querySelector('[readonly]'))"
    expect(await page.evaluate(selected)).toBe(address)
  })

  test('an administrator may make another’s link void, and make none', async ({ page, enter, site }) => {
    await enter('user', '/user/limits')
    await makeLink(page, '만들기')
    await enter('admin', '/u1/limits')
    await expect(panel(page)).toContainText('링크는 이 계좌의 주인만 만들 수 있습니다.')
    await expect(panel(page).getByRole('button')).toHaveText(['없애기'])
    await take(page, ['없애기'])
    await question(page).getByRole('button', { name: '없애기' }).click()
    await expect(panel(page)).toContainText('만든 링크가 없습니다.')
    await expect(panel(page).getByRole('button')).toHaveCount(0)
    expect(site.fixture?.state.stopLinks.size).toBe(0)
  })

  test('the secret is in no address that is sent, and nothing of the account is shown before the press', async ({
    page,
    browser,
    enter,
  }) => {
    await enter('user', '/user/limits')
    const address = await makeLink(page, '만들기')
    const token = address.split('#')[1] ?? 'no token'
    await asStranger(browser, 'about:blank', async (stranger) => {
      const sent: string[] = []
      stranger.on('request', (request) => sent.push(request.url(), request.headers()['referer'] ?? ''))
      await stranger.goto(address)
      await settled(stranger)
      await expect(stranger.getByText('minji')).toHaveCount(0)
      expect(sent.filter((url) => url.includes('/api/'))).toEqual([])
      const pressed = stranger.waitForRequest('**/api/stop-link')
      await take(stranger, [ALL])
      expect((await pressed).postDataJSON()).toEqual({ token })
      await expect(stranger.getByRole('status')).toContainText('모두 멈췄습니다.')
      expect(await barriers(stranger)).toEqual([])
      expect(sent.filter((url) => url.split('#')[0]?.includes(token))).toEqual([])
      // Another link in the same tab: what came of this one is not shown under it.
      await stranger.evaluate(`location.hash = '${'C'.repeat(43)}'`)
      await expect(stranger.getByRole('status')).toHaveCount(0)
      await take(stranger, [ALL])
      await expect(stranger.getByRole('alert')).toContainText('쓸 수 없는 멈춤 링크입니다.')
      expect(await barriers(stranger)).toEqual([])
      await stranger.evaluate("location.hash = 'half'")
      await expect(stranger.getByText('이 주소에는 멈춤 링크가 없습니다.')).toBeVisible()
      await expect(stranger.getByRole('button')).toHaveCount(0)
    })
  })
})

test(
  'a link halts from where nobody is logged in; only a log-in releases; revoked it does nothing',
  { tag: '@own' },
  async ({ page, browser }) => {
    test.setTimeout(6 * BROKER_MS)
    const trader = new Trader(page, 9)
    await trader.begin()
    await page.goto('/user/limits')
    const address = await makeLink(page, '만들기')
    await asStranger(browser, address, async (stranger) => {
      await take(stranger, [ALL])
      await expect(stranger.getByRole('status')).toContainText('모두 멈췄습니다.')
      // The page that is open elsewhere shows it by itself.
      await expect(page.getByText('이 계좌 모두 멈춤.')).toBeVisible()
      expect(await trader.stop()).toBe('halt')
      const origin = new URL(address).origin
      const data = { level: 'user', stop: 'active' }
      expect((await stranger.request.post(`${origin}/api/user/stop`, { data })).status()).toBe(401)
      expect(await trader.stop()).toBe('halt')
      await take(page, ['없애기'])
      await question(page).getByRole('button', { name: '없애기' }).click()
      await expect(panel(page).getByRole('button', { name: '만들기', exact: true })).toBeVisible()
      await take(stranger, [ALL])
      await expect(stranger.getByRole('alert')).toContainText('쓸 수 없는 멈춤 링크입니다.')
      await stranger.getByRole('link', { name: '로그인' }).click()
      await expect(stranger.getByRole('button', { name: 'LOGIN' })).toBeVisible()
    })
    await go(page, '/user/kis/order')
    await expect(noOrders(page)).toBeVisible({ timeout: BROKER_MS })
  },
)
