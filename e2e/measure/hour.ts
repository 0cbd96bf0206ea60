import type { Browser, CDPSession } from '@playwright/test'
import type { Fixture } from '../fixture/server.ts'
import { INTERVAL_MS, open, trade, type Opened } from './open.ts'
import { block, LONG_MS, longOf, start, stop, type LongTask } from './watch.ts'

const CHANGES_A_SECOND = 50
/** What is made once, such as compiled code and caches, is made by then, minutes. */
const WARM = 2
const SAMPLES = 6
/** A long task of the page within this of one of the control is the machine's, not the page's, ms. */
const SAME_MOMENT_MS = 1_000

interface Heap {
  kB: number
  nodes: number
}

/** What is still held once everything that nobody needs is gone. */
async function heapOf(session: CDPSession): Promise<Heap> {
  // What a finaliser frees is gone after the second.
  await session.send('HeapProfiler.collectGarbage')
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  const { nodes } = await session.send('Memory.getDOMCounters')
  return { kB: usedSize / 1000, nodes }
}

/** A long task of one tab must not be one of the other: they have a process each. */
async function expectApart(page: Opened, control: Opened): Promise<void> {
  await Promise.all([start(page.page), start(control.page)])
  await block(page.page)
  const [ofPage, ofControl] = await Promise.all([stop(page.page), stop(control.page)])
  if (ofPage.tasks.length === 0) throw new Error('long tasks go unseen')
  const own = ofPage.tasks[0]?.at ?? 0
  if (ofControl.tasks.some(({ at }) => Math.abs(at - own) < LONG_MS)) throw new Error('the control shares the process')
}

class Tab {
  readonly opened: Opened
  readonly name: string
  readonly long: LongTask[] = []
  readonly heaps: Heap[] = []

  constructor(name: string, opened: Opened) {
    this.name = name
    this.opened = opened
  }

  async watch(): Promise<void> {
    await start(this.opened.page)
  }

  /** Ends one watch: collecting garbage by force takes time that is none of the page's. */
  async sample(minute: number): Promise<void> {
    this.long.push(...longOf(await stop(this.opened.page)))
    const heap = await heapOf(this.opened.session)
    this.heaps.push(heap)
    console.log(
      `minute ${minute.toFixed(1).padStart(4)}, ${this.name}: ${this.long.length} tasks over ${LONG_MS} ms so far, ` +
        `heap ${heap.kB.toFixed(0)} kB, ${heap.nodes} nodes`,
    )
  }

  /** Growth of the heap since it was warm, per cent. */
  get growth(): number {
    const [first, last] = [this.heaps[0], this.heaps.at(-1)]
    return first && last ? 100 * (last.kB / first.kB - 1) : Number.NaN
  }

  report(): void {
    const tasks = this.long.map(({ at, ms }) => `${new Date(at).toISOString().slice(11, 19)} ${ms.toFixed(0)} ms`)
    console.log(`${this.name}: ${tasks.length} tasks over ${LONG_MS} ms [${tasks.join(', ')}]`)
    console.log(`${this.name}: heap ${this.growth.toFixed(1)} % since minute ${WARM}`)
  }
}

/** One page under moving prices for long, beside the same page under none as its control. */
export async function hour(
  browser: Browser,
  { moving, idle }: { moving: Fixture; idle: Fixture },
  { path, wide, minutes }: { path: string; wide: boolean; minutes: number },
): Promise<boolean> {
  const page = new Tab('prices ', await open(browser, moving, path, wide))
  const control = new Tab('control', await open(browser, idle, path, wide))
  const tabs = [page, control]
  await expectApart(page.opened, control.opened)
  console.log(
    `${path}: ${CHANGES_A_SECOND} changes a second for ${minutes} minutes, the same page under none as control`,
  )
  const still = await page.opened.page.getByRole('main').innerText()
  const trading = trade(moving.state, (CHANGES_A_SECOND * INTERVAL_MS) / 1000)
  const began = Date.now()
  try {
    for (const minute of momentsOf(minutes)) {
      await Promise.all(tabs.map((tab) => tab.watch()))
      await new Promise((done) => setTimeout(done, began + minute * 60_000 - Date.now()))
      for (const tab of tabs) await tab.sample(minute)
    }
  } finally {
    clearInterval(trading)
  }
  if ((await page.opened.page.getByRole('main').innerText()) === still) throw new Error('no price moved')
  for (const tab of tabs) tab.report()
  const own = page.long.filter(({ at }) => control.long.every((other) => Math.abs(at - other.at) > SAME_MOMENT_MS))
  console.log(
    `tasks over ${LONG_MS} ms beyond the control's: ${page.long.length - control.long.length}; at no moment of the control's: ${own.length}`,
  )
  return page.long.length <= control.long.length && page.growth <= 5
}

/** Minutes at which heaps are read. */
const momentsOf = (minutes: number): number[] => [
  WARM,
  ...Array.from({ length: SAMPLES }, (_, at) => ((at + 1) * minutes) / SAMPLES).filter((minute) => minute > WARM),
]
