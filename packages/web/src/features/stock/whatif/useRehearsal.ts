import type { StockHistory } from '@digger/contract'
import type { Settings } from '@digger/core'
import { useEffect, useMemo, useSyncExternalStore } from 'react'
import { RehearsalStore, type Axes, type Rehearsed } from './rehearsalStore.ts'
import { BROKEN, startWorker } from './startWorker.ts'

interface Asked {
  readonly history: StockHistory
  /** The first day of the range; '' for all. */
  readonly from: string
  readonly places: number
  /** Null: they cannot be traded by. */
  readonly settings: Settings | null
  readonly saved: Settings
  readonly axes: Axes
}

/** Keeps a worker that trades the history again as the settings change. */
export function useRehearsal({ history, from, places, settings, saved, axes }: Asked): Rehearsed {
  const store = useStore(history)
  // What was asked already is asked once: the store compares.
  useEffect(() => {
    if (places === 0) return
    store.frame({ from, places })
    if (settings === null) return
    store.run(settings, saved)
    store.map(settings, axes)
  })
  return useSyncExternalStore(store.subscribe, () => store.state)
}

function useStore(history: StockHistory): RehearsalStore {
  const store = useMemo(() => {
    const { unit, kind, market } = history
    return new RehearsalStore(unit, history, { kind, market })
  }, [history])
  useEffect(() => {
    const { post, close } = startWorker({
      onReply: (reply) => store.receive(reply),
      onBroken: () => store.fail(BROKEN),
    })
    store.connect(post)
    return () => {
      store.disconnect()
      close()
    }
  }, [store])
  return store
}
