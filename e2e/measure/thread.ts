import type { Browser, Page } from '@playwright/test'

/** One task of the page's main thread, ms: how long it took, and how long the thread ran in it. */
export interface Task {
  readonly wall: number
  readonly cpu: number
}

interface TraceEvent {
  readonly name: string
  readonly ph: string
  readonly pid: number
  readonly tid: number
  /** µs. */
  readonly dur?: number
  readonly tdur?: number
  readonly args?: { readonly name?: string }
}

/**
 * Tasks of a page while `act` goes on. On a machine that does much else at the same time only `cpu` says what the page itself takes: a slowed
 * CPU counts in it, a thread that waits for a core does not.
 */
export async function tasksOf(browser: Browser, page: Page, act: () => Promise<void>): Promise<Task[]> {
  await browser.startTracing(page, { categories: ['toplevel'] })
  await act()
  const trace = await browser.stopTracing()
  const read: { traceEvents: TraceEvent[] } = JSON.parse(trace.toString('utf8'))
  const events = read.traceEvents
  const threads = new Set(
    events
      .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid} ${tid}`),
  )
  return events
    .filter(({ name, ph, pid, tid }) => name.endsWith('RunTask') && ph === 'X' && threads.has(`${pid} ${tid}`))
    .map(({ dur = 0, tdur = dur }) => ({ wall: dur / 1000, cpu: tdur / 1000 }))
}
