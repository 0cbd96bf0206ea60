import { asProblem } from '../api/problem.ts'
import { report } from '../api/send.ts'
import { ask } from '../ask/ask.ts'

/** What came of a task. `title`: the word or sentence above; `text` says whose and what. */
export interface Outcome {
  ok: boolean
  title: string
  text: string
}

/** A task that may take many seconds. It belongs to no page: it goes on when its page is left. */
export interface Work {
  /** The same task is not begun twice. */
  key: string
  /** Whose and what: "삼성전자 잔고 맞춤". */
  name: string
  /** The page where it was begun, with its query. */
  href: string
  /** Epoch ms. */
  startedAt: number
  /** Null while it runs; afterwards only where the person was elsewhere by then. */
  outcome: Outcome | null
}

let works: readonly Work[] = []
const listeners = new Set<() => void>()

function change(next: readonly Work[]): void {
  works = next
  for (const listener of listeners) listener()
}

export const openWorks = (): readonly Work[] => works
export function watchWorks(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
export const dropWork = (work: Work): void => change(works.filter((one) => one !== work))
/** The next person at this screen must not see what the one before did. */
export const forgetWorks = (): void => change([])

const pathOf = (href: string): string => href.split('?')[0] ?? href

interface Task {
  key: string
  name: string
  /** Null: nothing is to be said. */
  work: () => Promise<Outcome | null>
}

/**
 * Runs a task and says what came of it: at once where it was begun, and elsewhere as a note that waits, so that no alert lies
 * over a page that has nothing to do with it.
 */
export async function runWork({ key, name, work }: Task): Promise<void> {
  if (works.some((one) => one.key === key && one.outcome === null)) return
  const href = location.pathname + location.search
  const begun: Work = { key, name, href, startedAt: Date.now(), outcome: null }
  // A result that waits to be read is older than what is begun now.
  change([...works.filter((one) => one.key !== key), begun])
  const isHere = () => location.pathname === pathOf(href)
  let outcome: Outcome | null
  try {
    outcome = await work()
  } catch (error) {
    if (isHere() || isQuiet(error)) {
      dropWork(begun)
      return report(error)
    }
    outcome = { ok: false, title: '하지 못했습니다', text: asProblem(error).message }
  }
  // Somebody else may have logged in meanwhile.
  if (!works.includes(begun)) return
  dropWork(begun)
  if (outcome === null) return
  if (isHere()) await ask.alert(outcome.title, outcome.text)
  else change([...works, { ...begun, outcome }])
}

const isQuiet = (error: unknown): boolean => ['LOGIN_REQUIRED', 'NEED_USERKEY'].includes(asProblem(error).code)
