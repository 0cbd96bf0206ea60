import { useSyncExternalStore } from 'react'
import { useNow } from '../clock/now.ts'
import css from './Work.module.css'
import { openWorks, watchWorks, type Work } from './work.ts'
import { ADVICE, ELSEWHERE, LONG_SECONDS, secondsSince, secondsText, type Advice } from './workText.ts'

export const useWorks = (): readonly Work[] => useSyncExternalStore(watchWorks, openWorks, openWorks)
/** The task with this key while it runs. */
export const useRunningWork = (key: string): Work | null =>
  useWorks().find((work) => work.key === key && work.outcome === null) ?? null

/** The seconds of a task that runs; once they are many, why, and what one can do. */
export function Elapsed({ startedAt, advice }: { startedAt: number; advice: Advice }) {
  const seconds = useNow((now) => secondsSince(startedAt, now))
  return (
    <>
      {/* Read aloud every second they would drown everything else. */}
      <span className={css['seconds']} aria-hidden="true">
        {secondsText(seconds)}
      </span>
      {seconds >= LONG_SECONDS && (
        <output className={css['advice']}>
          {ADVICE[advice]} {ELSEWHERE}
        </output>
      )}
    </>
  )
}

/** One line while a task runs, at the place that it is about. */
export function WorkLine({ work, advice }: { work: Work | null; advice: Advice }) {
  if (work === null) return null
  return (
    <div className={css['line']}>
      <output>{work.name} 중입니다.</output> <Elapsed startedAt={work.startedAt} advice={advice} />
    </div>
  )
}
