import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { emptyHalves, layoutFaults } from './layout.ts'
import { MADE_UP_PAGES } from './pages.ts'
import { WIDE } from './sizes.ts'
import { covers, drawAll, drawn, expect, go, settled, test, type Sentences } from './test.ts'

/** The sentences of the specification that a page proves by being there. */
const PAGE_SPEC: Readonly<Record<string, Sentences>> = {
  login: ['/login, /join'],
  join: ['/login, /join'],
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

const PHONE = { width: 390, height: 844 }
const NARROWEST = { width: 320, height: 640 }

/** Findings of axe, in sentences. */
async function violations(page: Page, shape: 'all' | 'colours' | 'main'): Promise<string[]> {
  // It is in the page already, unless the page is new.
  const isThere = await page.evaluate<boolean>(`'axe' in globalThis`)
  // No page has frames: only then axe needs no page of its own to sum up. Passes are not asked for.
  const axe = new AxeBuilder({ page, ...(isThere && { axeSource: 'undefined' }) })
    .setLegacyMode()
    .options({ resultTypes: ['violations'] })
  if (shape === 'colours') axe.withRules('color-contrast')
  if (shape === 'main') axe.include('main')
  const found = await axe.analyze()
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
}

/** What a page is made of, without what it says: a wide window may show a table where a phone has cards. */
const PARTS = `[...document.querySelectorAll('main :not(svg *)')].map((one) => one.localName + '.' + one.className).join()`

async function look(page: Page, name: string): Promise<void> {
  expect.soft(await violations(page, 'all'), `${name}, light`).toEqual([])
  expect.soft(await layoutFaults(page), name).toEqual([])
  expect.soft(await outOfReach(page), name).toEqual([])
  expect.soft(await page.evaluate<string[]>(SMALL_TARGETS), name).toEqual([])
  const parts = await page.evaluate<string>(PARTS)
  // The scheme changes nothing but colours.
  await page.emulateMedia({ colorScheme: 'dark' })
  // The new colours are drawn with the next frame.
  await drawn(page)
  expect.soft(await violations(page, 'colours'), `${name}, dark`).toEqual([])
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize(NARROWEST)
  await drawn(page)
  await settled(page)
  expect.soft(await layoutFaults(page), `${name}, 320 px`).toEqual([])
  await page.setViewportSize(WIDE)
  await drawn(page)
  await settled(page)
  expect.soft(await layoutFaults(page), `${name}, wide`).toEqual([])
  const empty = await emptyHalves(page)
  expect
    .soft(
      empty.filter((fault) => !(name in NARROW && fault.startsWith('only '))),
      `${name}, wide`,
    )
    .toEqual([])
  if (FRAMES.has(name)) expect.soft(await violations(page, 'all'), `${name}, wide`).toEqual([])
  else if ((await page.evaluate<string>(PARTS)) !== parts)
    expect.soft(await violations(page, 'main'), `${name}, wide`).toEqual([])
  await page.setViewportSize(PHONE)
}
/** One page of each person shows what stands around all of them. */
const FRAMES: ReadonlySet<string> = new Set(['login', 'balance', 'admin-user'])

const open = async (page: Page, { path, shows, name }: (typeof MADE_UP_PAGES)[number]): Promise<void> => {
  await go(page, path)
  await expect(page.getByRole('main').getByText(shows).first(), name).toBeVisible()
  await settled(page)
}

test.describe(
  'is accessible, touchable, no wider than the screen, and its texts are whole:',
  { tag: '@fixture' },
  () => {
    for (const { name, who, path, shows } of MADE_UP_PAGES.filter((one) => one.who === 'nobody'))
      test(name, covers(...(PAGE_SPEC[name] ?? [])), async ({ page }) => {
        await page.goto(path)
        await expect(page.getByRole('main').getByText(shows).first(), who).toBeVisible()
        await settled(page)
        await drawAll(page)
        await look(page, name)
      })

    for (const who of ['user', 'admin'] as const)
      test(`every page of the ${who}`, who === 'user' ? covers('/password') : {}, async ({ page, enter }) => {
        // Each page takes a second or two.
        test.setTimeout(300_000)
        const [first, ...others] = MADE_UP_PAGES.filter((one) => one.who === who)
        if (first === undefined) return
        await enter(who, first.path)
        await drawAll(page)
        for (const one of [first, ...others]) {
          await open(page, one)
          await look(page, one.name)
        }
      })
  },
)

/** What can be pressed or filled in, but is not reached by Tab, or does not show that it is. */
async function outOfReach(page: Page): Promise<string[]> {
  await page.evaluate(WATCH_FOCUS)
  // The focus goes around once; lists draw on what it comes near.
  for (let press = 0; press < MAX_PRESSES; press += 1) {
    await page.keyboard.press('Tab')
    if (press % 5 === 4 && (await page.evaluate<boolean>('isAround'))) break
  }
  return page.evaluate<string[]>(`
    document.removeEventListener('focusin', onFocus)
    document.activeElement?.blur()
    ;[...${ACTIONS}.filter((one) => !looks.has(one.outerHTML)).map((one) => 'not reached: ' + one.outerHTML.slice(0, 120)),
      ...unseen.map((html) => 'not shown: ' + html)]`)
}
const WATCH_FOCUS = `
  document.activeElement?.blur()
  globalThis.reached = new Set(); globalThis.looks = new Set(); globalThis.unseen = []; globalThis.isAround = false
  globalThis.onFocus = ({ target: at }) => {
    const rings = [getComputedStyle(at), getComputedStyle(at, '::after'), getComputedStyle(at.parentElement ?? at)]
    if (rings.every(({ outlineStyle }) => outlineStyle === 'none')) unseen.push(at.outerHTML.slice(0, 120))
    isAround ||= reached.has(at)
    reached.add(at)
    // A long list draws its cards anew.
    looks.add(at.outerHTML)
  }
  document.addEventListener('focusin', onFocus)`
const MAX_PRESSES = 500
const ACTIONS = `[...document.querySelectorAll('button, a[href], input, select, textarea, summary, [role=switch]')]
  .filter((one) => one.checkVisibility() && !one.disabled)`

/** Buttons, links in lists and fields under 44 px, apart from links inside running text. */
const SMALL_TARGETS = `[...document.querySelectorAll('button, summary, input:not([type=checkbox]), nav a')]
  .filter((element) => element.checkVisibility() && !element.closest('[aria-label="위치"]'))
  .map((element) => [element, (element.closest('label') ?? element).getBoundingClientRect(), getComputedStyle(element, '::after').position])
  .filter(([, box, after]) => box.width > 0 && after !== 'absolute' && (box.height < 43.5 || box.width < 43.5))
  .map(([element, box]) => element.outerHTML.slice(0, 120) + ' ' + box.width + '×' + box.height)`
