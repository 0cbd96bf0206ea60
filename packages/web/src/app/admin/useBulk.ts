import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ask } from '../../ask/ask.ts'
import { forgetProgress } from '../../live/useLive.ts'
import { refreshUsers, type Results } from './bulk.ts'

export interface BulkState {
  name: string
  running: boolean
  /** How many users the task is for. */
  total: number
  results: Results
}

/** The bulk task that runs or ran last. One at a time. */
export function useBulk(total: number) {
  const [state, setState] = useState<BulkState | null>(null)
  const client = useQueryClient()
  const run = async (name: string, task: (onProgress: (results: Results) => void) => Promise<Results | null>) => {
    if (state?.running) return
    setState({ name, running: true, total, results: [] })
    const results = await task((done) => setState({ name, running: true, total, results: done }))
    forgetProgress()
    setState(results && { name, running: false, total, results })
    await refreshUsers(client)
    if (results) await ask.alert('clear', summary(results))
  }
  return { state, run, close: () => setState(null) }
}

export function summary(results: Results): string {
  const failed = results.filter(({ ok }) => !ok).length
  return failed === 0
    ? `${results.length}명 모두 처리했습니다.`
    : `${results.length}명 중 ${failed}명은 처리하지 못했습니다. 아래 결과를 확인하세요.`
}
