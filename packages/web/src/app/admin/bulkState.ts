import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { ask } from '../../ask/ask.ts'
import { forgetProgress } from '../../live/useLive.ts'
import { runWork, type Outcome } from '../../work/work.ts'
import { refreshUsers, type OnProgress, type Results } from './bulk.ts'

export interface BulkState {
  name: string
  running: boolean
  /** Epoch ms. */
  startedAt: number
  /** How many users the task is for. */
  total: number
  results: Results
}

/** It outlives the page. Its owner is the cache of whoever is logged in: the next person does not see it. */
let kept: { owner: QueryClient; state: BulkState } | null = null
const listeners = new Set<() => void>()
function keep(next: typeof kept): void {
  kept = next
  for (const listener of listeners) listener()
}
const watch = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The bulk task that runs or ran last. One at a time: a second one is refused before anything is asked or typed for it. */
export function useBulk(total: number) {
  const owner = useQueryClient()
  const state = useSyncExternalStore(watch, () => (kept?.owner === owner ? kept.state : null))
  const run = (name: string, task: (onProgress: OnProgress) => Promise<Results>) =>
    runWork({
      key: 'bulk',
      name: `모든 사용자 ${name}`,
      work: async () => {
        const begun = { name, running: true, startedAt: Date.now(), total, results: [] }
        keep({ owner, state: begun })
        try {
          const results = await task((done) => keep({ owner, state: { ...begun, results: done } }))
          keep({ owner, state: { ...begun, running: false, results } })
          return outcomeOf(name, results)
        } catch (error) {
          keep(null)
          throw error
        } finally {
          forgetProgress()
          await refreshUsers(owner)
        }
      },
    })
  /** Before the questions of a task. */
  const whenFree = (begin: () => unknown) => () =>
    state?.running === true ? void ask.alert(`${state.name} 중입니다.`, BUSY_NOTE) : void begin()
  return { state, run, whenFree, close: () => keep(null) }
}

const BUSY_NOTE = '한 번에 한 가지만 합니다. 끝난 뒤에 다시 눌러 주세요. 어디까지 했는지는 이 화면에 있습니다.'

/** `clear` (spec 8) only where all went well. */
export function outcomeOf(name: string, results: Results): Outcome {
  const total = results.length
  const done = results.filter(({ ok }) => ok).length
  if (done === total) return { ok: true, title: 'clear', text: `${name}: ${total}명 모두 마쳤습니다.` }
  const title = done === 0 ? `${total}명 모두 하지 못했습니다` : `${total}명 중 ${done}명을 마쳤습니다`
  const failed = done === 0 ? '' : ` ${total - done}명은 하지 못했습니다.`
  return { ok: false, title, text: `${name}:${failed} 까닭은 ‘사용자’ 화면의 결과에 한 명씩 있습니다.` }
}
