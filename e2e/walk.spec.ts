import { PAGES } from './pages.ts'
import { BROKER_MS, drawn, expect, go, settled, test } from './test.ts'

const PHONE = { width: 390, height: 844 }
const WIDE = { width: 1440, height: 900 }

for (const who of ['user', 'admin'] as const) {
  test(`every page opens for ${who === 'user' ? 'a user' : 'an administrator'}, whole and without a fault`, async ({
    page,
    enter,
  }) => {
    const faults: string[] = []
    const sizes = [PHONE, WIDE]
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
        await go(page, path)
        const main = page.getByRole('main')
        await expect(main.getByText(shows).first()).toBeVisible({ timeout: BROKER_MS })
        await settled(page)
        for (const size of sizes) {
          await page.setViewportSize(size)
          await drawn(page)
          expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
        }
        // The next page comes in the window as it is.
        sizes.reverse()
      })
    }
    expect(faults).toEqual([])
  })
}
