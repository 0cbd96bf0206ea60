import { useSyncExternalStore } from 'react'
import { PROGRESS_EVENT } from '../api/progress.ts'
import css from './Progress.module.css'

let tasks = 0
const listeners = new Set<() => void>()

/** To be called before anything is drawn: a start that nobody counted would hide the work of everything after it. */
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

/** Shown while any task runs; one task more or less by each event. A task shorter than a blink shows nothing. */
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

/** Known progress: so many of so many. */
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
