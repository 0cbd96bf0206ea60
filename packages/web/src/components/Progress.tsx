import { useEffect, useState } from 'react'
import { PROGRESS_EVENT } from '../api/progress.ts'
import css from './Progress.module.css'

/** Shown while any task runs; one task more or less by each event. A task shorter than a blink shows nothing. */
export function GlobalProgress() {
  const [tasks, setTasks] = useState(0)
  useEffect(() => {
    const count = (event: CustomEvent<1 | -1>) => setTasks((old) => old + event.detail)
    window.addEventListener(PROGRESS_EVENT, count)
    return () => window.removeEventListener(PROGRESS_EVENT, count)
  }, [])
  if (tasks <= 0) return null
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
