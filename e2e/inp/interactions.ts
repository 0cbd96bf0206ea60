import type { Locator, Page } from '@playwright/test'

/** What the browser tells of every interaction, and what a person does not wait for: the first of them is the one that counts. */
const WATCH = `
  globalThis.interactions = new Map()
  const keep = ({ interactionId, duration, name, processingStart, processingEnd, startTime }) => {
    if (!interactionId) return
    const known = interactions.get(interactionId)
    if (known && known.duration >= duration) return
    interactions.set(interactionId, {
      duration, name,
      delay: processingStart - startTime,
      work: processingEnd - processingStart,
      paint: Math.max(0, startTime + duration - processingEnd),
    })
  }
  globalThis.interactionObserver = new PerformanceObserver((list) => list.getEntries().forEach(keep))
  interactionObserver.observe({ type: 'event', durationThreshold: 16 })`

/** Where the time of the longest event of an interaction went, ms. */
export interface Interaction {
  duration: number
  name: string
  /** Before its handlers ran. */
  delay: number
  /** In them. */
  work: number
  /** From them to the next picture. */
  paint: number
}

/** To be called once for a document. */
export const watchInteractions = (page: Page): Promise<unknown> => page.evaluate(WATCH)

const NONE: Interaction = { duration: 0, name: '', delay: 0, work: 0, paint: 0 }

/** The worst interaction of what `act` does: nothing below 16 ms is reported. */
export async function worstOf(page: Page, act: () => Promise<void>): Promise<Interaction> {
  await page.evaluate('interactions.clear()')
  await act()
  // An entry comes after the picture it waited for; an idle page has had all of them.
  const found = await page.evaluate<Interaction[]>(`new Promise((done) => {
    setTimeout(() => requestAnimationFrame(() => setTimeout(() => {
      done([...interactions.values()])
    })), 250)
  })`)
  return found.toSorted((a, b) => b.duration - a.duration)[0] ?? NONE
}

/** Looking for what to press is work of the page's, too, which is no part of the press: it is over after, ms. */
const SETTLE_MS = 150
/** So long a finger rests where it taps, ms. */
const TAP_MS = 60

/** A finger on the middle of it. */
export async function touch(page: Page, what: Locator, at?: { x: number; y: number }): Promise<void> {
  await what.waitFor()
  const box = await what.boundingBox()
  if (box === null) throw new Error(`not on the screen: ${String(what)}`)
  const point = { x: box.x + (at?.x ?? box.width / 2), y: box.y + (at?.y ?? box.height / 2) }
  const session = await page.context().newCDPSession(page)
  await page.waitForTimeout(SETTLE_MS)
  await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [point] })
  await page.waitForTimeout(TAP_MS)
  await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  await session.detach()
}
