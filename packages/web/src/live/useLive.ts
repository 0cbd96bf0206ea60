import type { LiveEvent } from '@digger/contract'
import { useQueryClient, type Query } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'
import { applyEvent } from './applyEvent.ts'
import { afterPress, watchPresses } from './press.ts'
import { openStream } from './stream.ts'

/** Reads older than this when the stream opens may have missed something, ms. */
const SLOW_START_MS = 2_000

type Progress = Extract<LiveEvent, { kind: 'progress' }>
interface Live {
  /** `since`: when the connection was lost (epoch ms). */
  lost: { since: number } | null
  /** The bulk task that is running on the server; null until it reports one. */
  progress: Progress | null
}

let live: Live = { lost: null, progress: null }
const listeners = new Set<() => void>()
function change(next: Partial<Live>): void {
  live = { ...live, ...next }
  for (const listener of listeners) listener()
}
const watch = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useLost = () => useSyncExternalStore(watch, () => live.lost)
export const useServerProgress = () => useSyncExternalStore(watch, () => live.progress)
export const forgetProgress = () => change({ progress: null })

/** Keeps the cache of one user live while the calling component is on screen; of nobody's without a user. */
export function useLive(userId: string | null): void {
  const client = useQueryClient()
  useEffect(() => {
    if (userId === null) return undefined
    const apply = (event: LiveEvent) => {
      if (event.kind === 'progress') change({ progress: event })
      applyEvent(client, userId, event)
    }
    const opened = (open: boolean, missed: boolean) => {
      if (!open) return change({ lost: live.lost ?? { since: Date.now() } })
      // What happened while nobody listened is read again; at the start only what was read long before.
      const since = missed ? Infinity : Date.now() - SLOW_START_MS
      const old = ({ state: { dataUpdatedAt: at } }: Query) => (missed || at > 0) && at < since
      void client.invalidateQueries({ predicate: old })
      change({ lost: null })
    }
    const unwatch = watchPresses()
    const stop = openStream(userId, {
      onEvent: (event) => afterPress(() => apply(event)),
      // In its place among the events: what it has read again is newer than those that wait.
      onOpen: (open, missed) => afterPress(() => opened(open, missed)),
    })
    return () => {
      stop()
      unwatch()
      change({ lost: null, progress: null })
    }
  }, [client, userId])
}
