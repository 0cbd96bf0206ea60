import { PAGES } from './pages.ts'
import { BROKER_MS, expect, settled, test } from './test.ts'

for (const who of ['user', 'admin'] as const) {
  test(`every page opens for ${who === 'user' ? 'a user' : 'an administrator'}, whole and without a fault`, async ({
    page,
    enter,
  }) => {
    const faults: string[] = []
    page.on('pageerror', (error) => faults.push(`${page.url()}: ${error.message}`))
    page.on('response', (reply) => {
      // A broker that answers too late for one try (502) is asked again by the page, and must then be shown.
      if (reply.status() === 500) faults.push(reply.url())
    })
    await enter(who, '/')
    await expect(page).toHaveURL(who === 'user' ? /\/user\/balance/ : /\/user\/admin\/user|\/user\/balance/)
    for (const { name, who: whose, path, shows } of PAGES) {
      if (whose === 'nobody' || (whose === 'admin' && who === 'user')) continue
      await test.step(name, async () => {
        await page.goto(path)
        const main = page.getByRole('main')
        await expect(main.getByText(shows).first()).toBeVisible({ timeout: BROKER_MS })
        await settled(page)
        expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
      })
    }
    expect(faults).toEqual([])
  })
}
