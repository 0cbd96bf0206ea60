import { expect, settled, test } from './test.ts'

interface Place {
  /** Where the page was scrolled to, px. */
  y: number
  /** Position in the list of the first card that exists. */
  first: number
  /** Different pictures of where the cards stood, one frame after the other. */
  pictures: number
}

/** Scrolls through the whole page and watches at each place, once its cards are drawn, whether they stand still. */
const PLACES = `(async () => {
  const nextFrame = () => new Promise(requestAnimationFrame)
  const cards = () => [...document.querySelectorAll('main li[aria-posinset]')]
  const picture = () => cards().map((card) => card.ariaPosInSet + ' at ' + card.getBoundingClientRect().top).join()
  const places = []
  const end = document.documentElement.scrollHeight - innerHeight
  for (let y = 0; y <= end; y += 120) {
    scrollTo(0, y)
    for (let frame = 0; frame < 6; frame += 1) await nextFrame()
    const pictures = new Set()
    for (let frame = 0; frame < 6; frame += 1) {
      await nextFrame()
      pictures.add(picture())
    }
    places.push({ y, first: Number(cards()[0].ariaPosInSet), pictures: pictures.size })
  }
  return places
})()`

for (const reducedMotion of ['no-preference', 'reduce'] as const)
  test.describe(`with motion: ${reducedMotion}`, { tag: '@fixture' }, () => {
    test.beforeEach(({ page }) => page.emulateMedia({ reducedMotion }))

    test('cards stand still wherever the list was scrolled to', async ({ page, enter }) => {
      await enter('user', '/user/balance')
      await settled(page)
      const places = await page.evaluate<Place[]>(PLACES)
      expect(places.filter(({ pictures }) => pictures > 1)).toEqual([])
      // Those far above the screen are gone, and space stands for them.
      expect(places.at(-1)?.first).toBeGreaterThan(1)
    })
  })

const FEEL = `globalThis.felt = []
  navigator.vibrate = (ms) => { felt.push(ms); return true }`

test.describe('what came of a press', { tag: '@fixture' }, () => {
  for (const [reducedMotion, felt] of [
    ['no-preference', [500]],
    ['reduce', []],
  ] as const)
    test(`is felt for half a second as well; motion: ${reducedMotion}`, async ({ page, enter }) => {
      await page.emulateMedia({ reducedMotion })
      await page.addInitScript(FEEL)
      await enter('admin', '/user/balance')
      await settled(page)
      await page.getByRole('article').first().getByRole('button').first().click()
      await page.getByRole('button', { name: '주문 취소', exact: true }).click()
      await expect(page.getByRole('alertdialog')).toContainText('done')
      await expect.poll(() => page.evaluate('felt')).toEqual(felt)
    })
})

test.describe('who wants less motion', { tag: '@fixture' }, () => {
  test.beforeEach(({ page }) => page.emulateMedia({ reducedMotion: 'reduce' }))

  test('sees nothing run without end while a page loads', async ({ page, enter }) => {
    // It is never answered.
    await page.route('**/api/*/balance?*', () => undefined)
    await enter('user', '/user/balance')
    await expect(page.getByLabel('불러오는 중')).toBeVisible()
    await expect(page.getByLabel('처리 중')).toBeVisible()
    const running = await page.evaluate<{ name: string; iterations: number }[]>(`document.getAnimations()
      .map(({ animationName, effect }) => ({ name: animationName, iterations: effect.getTiming().iterations }))`)
    expect(running.filter(({ iterations }) => iterations > 1)).toEqual([])
  })

  test('sees a change at once, not a frame late', async ({ page, enter }) => {
    await enter('user', '/user/balance')
    await settled(page)
    const height = (set: string) =>
      page.evaluate(`{ const list = document.querySelector('main ul'); ${set}; getComputedStyle(list).height }`)
    expect(await height('')).not.toBe('5000px')
    expect(await height("list.style.height = '5000px'")).toBe('5000px')
  })
})
