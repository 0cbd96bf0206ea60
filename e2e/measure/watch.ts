import type { CDPSession, Page } from '@playwright/test'

/** A task longer than this is felt, ms. */
export const LONG_MS = 50
/** Pixels of each scroll step, one step a frame. */
const STEP = 40
/** Long tasks are reported a moment after they ended, ms. */
const REPORT_MS = 100

export interface LongTask {
  /** When it began, epoch ms. */
  at: number
  ms: number
}

export interface Figures {
  tasks: LongTask[]
  frames: number
  ms: number
}

/** Counts long tasks and frames until `stop` is called; `scroll` moves the page every frame. */
const WATCH = `globalThis.watch = (scroll) => {
  const tasks = []
  const add = (entries) => entries.forEach(({ startTime, duration }) => tasks.push({ at: performance.timeOrigin + startTime, ms: duration }))
  const observer = new PerformanceObserver((list) => add(list.getEntries()))
  observer.observe({ type: 'longtask' })
  const began = performance.now()
  let [frames, on, way] = [0, true, 1]
  const frame = () => {
    frames += 1
    if (scroll) {
      scrollBy(0, way * ${STEP})
      if (scrollY <= 0 || scrollY + innerHeight >= document.documentElement.scrollHeight - 1) way = -way
    }
    if (on) requestAnimationFrame(frame)
  }
  requestAnimationFrame(frame)
  globalThis.stop = () => {
    on = false
    add(observer.takeRecords())
    observer.disconnect()
    return { tasks, frames, ms: performance.now() - began }
  }
}`

export const prepare = (page: Page): Promise<unknown> => page.evaluate(WATCH)
export const start = (page: Page, scroll = false): Promise<unknown> => page.evaluate(`watch(${scroll})`)
export const stop = (page: Page): Promise<Figures> => page.evaluate<Figures>('stop()')

export async function measure(page: Page, ms: number, scroll = false): Promise<Figures> {
  await start(page, scroll)
  await new Promise((done) => setTimeout(done, ms))
  return stop(page)
}

/** A task that is long on purpose. */
export const block = (page: Page): Promise<unknown> =>
  page.evaluate(`new Promise((done) => setTimeout(() => {
    const until = performance.now() + ${2 * LONG_MS}
    while (performance.now() < until);
    setTimeout(done, ${REPORT_MS})
  }))`)

/** A task that is long on purpose must be counted, else no figure means anything. */
export async function expectLongTasksSeen(page: Page): Promise<void> {
  await start(page)
  await block(page)
  const { tasks } = await stop(page)
  if (tasks.length === 0) throw new Error('long tasks go unseen')
}

/** Script, style and layout work of the page so far, seconds. */
export async function work(session: CDPSession): Promise<Record<string, number>> {
  const { metrics } = await session.send('Performance.getMetrics')
  return Object.fromEntries(metrics.map(({ name, value }) => [name, value]))
}

export const longOf = ({ tasks }: Figures): LongTask[] => tasks.filter(({ ms }) => ms > LONG_MS)

export function report(name: string, figures: Figures): boolean {
  const long = longOf(figures)
  const longest = Math.round(Math.max(0, ...figures.tasks.map(({ ms }) => ms)))
  const frames = ((1000 * figures.frames) / figures.ms).toFixed(0)
  console.log(`${name}: ${long.length} tasks over ${LONG_MS} ms (longest ${longest} ms), ${frames} frames/s`)
  return long.length === 0
}
