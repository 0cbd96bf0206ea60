import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { emptyHalves, layoutFaults } from './layout.ts'
import { MADE_UP_PAGES } from './pages.ts'
import { covers, drawAll, expect, settled, test, type Sentences } from './test.ts'

/** The sentences of the specification that a page proves by being there. */
const PAGE_SPEC: Readonly<Record<string, Sentences>> = {
  login: ['/login, /join'],
  join: ['/login, /join'],
  password: ['/password'],
}

/** Pages that are one narrow column on a wide screen, too. */
const NARROW: Readonly<Record<string, string>> = {
  login: 'two fields',
  join: 'one field below the other, each with its explanation',
  halt: 'one button, for a moment of need',
  'halt-without-link': 'one sentence',
  unknown: 'one sentence and the way back',
  'admin-job': 'a choice of buttons; nothing was done yet, so that its list is a sentence',
}

/** Rules of axe hold in both colour schemes; sizes and the narrow screen count where thumbs are. */
for (const { name, who, path, shows } of MADE_UP_PAGES) {
  test(
    `${name} is accessible, touchable, no wider than the screen, and its texts are whole`,
    { tag: '@fixture', ...covers(...(PAGE_SPEC[name] ?? [])) },
    async ({ page, enter, isMobile }) => {
      await (who === 'nobody' ? page.goto(path) : enter(who, path))
      await expect(page.getByRole('main').getByText(shows).first()).toBeVisible()
      await settled(page)
      await drawAll(page)
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        // The new colours are drawn with the next frame.
        await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))')
        // No page has frames: only then axe needs no page of its own to sum up. Passes are not asked for.
        const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] })
        // The scheme changes nothing but colours.
        const { violations } = await (colorScheme === 'dark' ? axe.withRules('color-contrast') : axe).analyze()
        const found = violations.map(
          ({ id, nodes }) => `${colorScheme} ${id}: ${nodes.map(({ html }) => html).join(' ')}`,
        )
        expect(found).toEqual([])
        expect(await layoutFaults(page), colorScheme).toEqual([])
      }
      if (!isMobile) {
        const empty = await emptyHalves(page)
        expect(empty.filter((fault) => !(name in NARROW && fault.startsWith('only ')))).toEqual([])
        return
      }
      expect(await outOfReach(page)).toEqual([])
      expect(await page.evaluate<string[]>(SMALL_TARGETS)).toEqual([])
      await page.setViewportSize({ width: 320, height: 640 })
      await settled(page)
      expect(await layoutFaults(page), '320 px').toEqual([])
    },
  )
}

/** What can be pressed or filled in, but is not reached by Tab, or does not show that it is. */
async function outOfReach(page: Page): Promise<string[]> {
  await page.evaluate(
    'document.activeElement?.blur(); globalThis.reached = new Set(); globalThis.looks = new Set(); globalThis.unseen = []',
  )
  // The focus goes around once; lists draw on what it comes near.
  for (let again = false, press = 0; !again && press < MAX_PRESSES; press += 1) {
    await page.keyboard.press('Tab')
    again = await page.evaluate<boolean>(`(() => {
      const { activeElement: at } = document
      const rings = [getComputedStyle(at), getComputedStyle(at, '::after'), getComputedStyle(at.parentElement ?? at)]
      const shown = rings.some(({ outlineStyle }) => outlineStyle !== 'none')
      if (!shown && at !== document.body) unseen.push(at.outerHTML.slice(0, 120))
      // A date has a stop for each of its parts.
      const again = reached.has(at) && globalThis.last !== at
      globalThis.last = at
      reached.add(at)
      // A long list draws its cards anew.
      looks.add(at.outerHTML)
      return again
    })()`)
  }
  return page.evaluate<string[]>(
    `[...${ACTIONS}.filter((one) => !looks.has(one.outerHTML)).map((one) => 'not reached: ' + one.outerHTML.slice(0, 120)),
      ...unseen.map((html) => 'not shown: ' + html)]`,
  )
}
const MAX_PRESSES = 500
const ACTIONS = `[...document.querySelectorAll('button, a[href], input, select, textarea, summary, [role=switch]')]
  .filter((one) => one.checkVisibility() && !one.disabled)`

/** Buttons, links in lists and fields under 44 px, apart from links inside running text. */
const SMALL_TARGETS = `[...document.querySelectorAll('button, summary, input:not([type=checkbox]), nav a')]
  .filter((element) => element.checkVisibility() && !element.closest('[aria-label="위치"]'))
  .map((element) => [element, (element.closest('label') ?? element).getBoundingClientRect(), getComputedStyle(element, '::after').position])
  .filter(([, box, after]) => box.width > 0 && after !== 'absolute' && (box.height < 43.5 || box.width < 43.5))
  .map(([element, box]) => element.outerHTML.slice(0, 120) + ' ' + box.width + '×' + box.height)`
