import { useRef, useState } from 'react'

/** A press that is not taken again before it is done. */
export function useBusy(work: () => Promise<void>): [busy: boolean, start: () => void] {
  const [busy, setBusy] = useState(false)
  // Two presses may come before the first is rendered.
  const running = useRef(false)
  const start = () => {
    if (running.current) return
    running.current = true
    setBusy(true)
    void work().finally(() => {
      running.current = false
      setBusy(false)
    })
  }
  return [busy, start]
}
