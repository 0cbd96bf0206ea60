import type { QueryClient } from '@tanstack/react-query'
import type { ReadKey } from './read.ts'

/** Shows what the server says now. A reading on its way may be from before that, and is given up: its answer would take it back. */
export function putReply<T>(client: QueryClient, queryKey: ReadKey, reply: T | ((shown: T | undefined) => T)): void {
  void client.cancelQueries({ queryKey, exact: true })
  client.setQueryData<T>(queryKey, reply)
}
