import { PAGES } from './pages.ts'
import { expect, settled, test } from './world.ts'

/** Pictures of every page, for people to look at: `npm run shots`. */
for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(colorScheme, () => {
    test.use({ colorScheme })
    for (const { name, who, path, shows } of PAGES) {
      test(name, async ({ page, enter }, { project }) => {
        await (who === 'nobody' ? page.goto(path) : enter(who, path))
        await expect(page.getByRole('main').getByText(shows).first()).toBeVisible()
        await settled(page)
        await page.screenshot({
          path: `shots/${project.name}/${name}-${colorScheme}.png`,
          fullPage: true,
          animations: 'disabled',
        })
      })
    }
  })
}
