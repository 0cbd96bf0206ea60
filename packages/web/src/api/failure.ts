import type { UseQueryResult } from '@tanstack/react-query'
import { useState } from 'react'
import type { Problem } from './problem.ts'

/**
 * Why a read has failed. With nothing read before it stays while it is asked again, which every live event may do: what stands
 * on the page because of it, a dialog with all that was typed, must not go with it.
 */
export function useFailure({ data, error, errorUpdateCount }: UseQueryResult): Problem | null {
  const [last, setLast] = useState(error)
  if (error !== null && error !== last) setLast(error)
  return error ?? (data === undefined && errorUpdateCount > 0 ? last : null)
}
