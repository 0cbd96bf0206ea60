import { useEffect, useState } from 'react'

/** The second press of a double one on the menu below must order nothing, ms. */
const DOUBLE_PRESS_MS = 500

/** Whether a sheet has been there for long enough to be pressed on purpose. */
export function useIsSettled(): boolean {
  const [isSettled, setIsSettled] = useState(false)
  useEffect(() => {
    const timer = setTimeout(setIsSettled, DOUBLE_PRESS_MS, true)
    return () => clearTimeout(timer)
  }, [])
  return isSettled
}
