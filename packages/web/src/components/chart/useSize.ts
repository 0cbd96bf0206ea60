import { useEffect, useState, type RefObject } from 'react'

/** Size of an element in whole px; nothing is drawn before it is there. */
export function useSize(box: RefObject<HTMLElement | null>): { width: number; height: number } {
  const [size, setSize] = useState({ width: 0, height: 0 })
  useEffect(() => {
    const element = box.current
    if (element === null) return undefined
    const measure = () => {
      const [width, height] = [element.clientWidth, element.clientHeight]
      setSize((old) => (old.width === width && old.height === height ? old : { width, height }))
    }
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    measure()
    return () => observer.disconnect()
  }, [box])
  return size
}
