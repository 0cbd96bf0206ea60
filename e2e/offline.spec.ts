import type { Page } from '@playwright/test'
import { startFixture } from './fixture/server.ts'
import { expect, settled, test } from './test.ts'

/** The worker is ready a moment before it takes the page over. */
async function controlled(page: Page): Promise<void> {
  await page.evaluate('navigator.serviceWorker.ready.then(() => true)')
  await expect.poll(() => page.evaluate('navigator.serviceWorker.controller !== null')).toBe(true)
}

test.describe('installed', { tag: '@fixture' }, () => {
  test.use({ serviceWorkers: 'allow' })

  test('without a server the client still opens and says that it is offline; no balance is kept', async ({
    page,
    site,
  }) => {
    const server = await startFixture()
    await page.request.post(`${server.url}/api/login`, { data: site.user })
    await page.goto(`${server.url}/user/balance`)
    await expect(page.getByText('총자산')).toBeVisible()
    // The first visit installs; the second goes through the worker, which keeps what it loads.
    await controlled(page)
    await page.reload()
    await expect(page.getByText('총자산')).toBeVisible()
    await settled(page)
    await server.close()
    await page.reload()
    await expect(page.getByRole('alert')).toContainText('서버에 연결할 수 없습니다')
    await expect(page.getByText('총자산')).toHaveCount(0)
    await expect(page.getByRole('button', { name: '다시 시도' })).toBeVisible()
    const cached = await page.evaluate<string[]>(`(async () => {
      const caches_ = await Promise.all((await caches.keys()).map((name) => caches.open(name)))
      return (await Promise.all(caches_.map((one) => one.keys()))).flat().map(({ url }) => new URL(url).pathname)
    })()`)
    expect(cached).toContain('/')
    expect(cached.filter((path) => path.startsWith('/api') || path === '/health')).toEqual([])
  })

  test('a stop link opens without a server, says that it was not reached, and can be pressed again', async ({
    page,
  }) => {
    const server = await startFixture()
    const address = `${server.url}/halt#${'A'.repeat(43)}`
    await page.goto(address)
    await controlled(page)
    await server.close()
    await page.reload()
    const button = page.getByRole('button', { name: '모두 취소하고 멈춤' })
    await button.click()
    await expect(page.getByRole('alert')).toContainText('서버에 연결할 수 없습니다.')
    await expect(page.getByRole('alert')).toContainText('다시 눌러 주세요')
    // The server is there again, and knows no such link.
    const again = await startFixture({ port: Number(new URL(server.url).port) })
    await button.click()
    await expect(page.getByRole('alert')).toContainText('쓸 수 없는 멈춤 링크입니다.')
    await again.close()
  })

  test('what installing needs is there: name, icons, start', async ({ page, enter }) => {
    await enter('user', '/user/balance')
    const href = await page.locator('link[rel=manifest]').getAttribute('href')
    const manifest = await (await page.request.get(href ?? '')).json()
    expect(manifest).toMatchObject({ name: 'Digger', display: 'standalone', start_url: expect.stringMatching(/^\//) })
    for (const { src, sizes } of manifest.icons) {
      const icon = await page.request.get(src)
      expect(icon.headers()['content-type'], src).toMatch(/^image\//)
      expect(sizes).toMatch(/^\d+x\d+$|^any$/)
    }
  })
})
