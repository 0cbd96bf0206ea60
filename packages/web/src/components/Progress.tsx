import { useSyncExternalStore } from 'react'
import { PROGRESS_EVENT } from '../api/progress.ts'
import css from './Progress.module.css'

let tasks = 0
const listeners = new Set<() => void>()

/** Counts running tasks. Call it before the first render: a start that was missed would leave the count too low for good. */
export function countTasks(): void {
  window.addEventListener(PROGRESS_EVENT, ({ detail }) => {
    tasks += detail
    for (const listener of listeners) listener()
  })
}

const watch = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

const isRunning = () => tasks > 0

/** Shown while any task runs. The style delays it, so that a task shorter than a blink shows nothing. */
export function GlobalProgress() {
  const running = useSyncExternalStore(watch, isRunning, isRunning)
  if (!running) return null
  return (
    <output className={css['overlay']} aria-label="처리 중">
      <span className={css['line']} />
      <span className={css['wheel']} />
    </output>
  )
}

/** Progress of a task whose total is known. */
export function Bar({ done, total, label }: { done: number; total: number; label: string }) {
  return (
    <div className={css['bar']}>
      <p>
        {label} <b>{done}</b> / {total}
      </p>
      <progress max={Math.max(total, 1)} value={done} aria-label={label} />
    </div>
  )
}
