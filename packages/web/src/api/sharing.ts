import { replaceEqualDeep } from '@tanstack/react-query'

/** Data in which all that did not change is the very same object already. */
const shared = new WeakSet<object>()

/** Spares the cache the search for what is equal: at each price it took as long as drawing all cards. */
export const markShared = (data: object): WeakSet<object> => shared.add(data)

/** What the cache keeps of new data: as much of the old as is equal, so that nothing of it re-renders. */
export const shareEqual = (old: unknown, next: unknown): unknown =>
  typeof next === 'object' && next !== null && shared.has(next) ? next : replaceEqualDeep(old, next)
