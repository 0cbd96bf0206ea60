import { useEffect, useRef, type KeyboardEvent, type PointerEvent, type RefObject } from 'react'
import { firstOf, panned, showing, zoomed, type View } from './view.ts'

/** A finger that moves less has pressed, px. */
const PRESS = 6
const KEY_ZOOM = 1.4

export interface Cursor {
  index: number
  /** Height in the plot, px; null when keys moved it. */
  y: number | null
}

interface Given {
  plot: RefObject<HTMLElement | null>
  /** Has the focus while the chart is used. */
  input: RefObject<HTMLInputElement | null>
  count: number
  view: View
  setView: (view: View) => void
  cursor: Cursor | null
  setCursor: (cursor: Cursor | null) => void
  /** Width of the plot without its gutter, px. */
  width: number
}

/**
 * Drag moves, two fingers and the wheel zoom, a press or a mouse over it shows the values. The wheel zooms a chart that was pressed
 * before (or with Ctrl): else it scrolls the page, which must not end at a chart.
 */
export function usePlotGestures(given: Given) {
  const { count, view, setView, cursor, setCursor } = given
  useWheel(given)
  return {
    handlers: usePointers(given),
    choose: (index: number) => {
      setView(showing(view, count, index))
      setCursor({ index, y: null })
    },
    onKeyDown: (event: KeyboardEvent) => {
      const next = afterKey(event.key, { view, count, cursor })
      if (next === null) return
      event.preventDefault()
      setView(next.view)
      setCursor(next.cursor)
    },
  }
}

function usePointers({ input, count, view, setView, setCursor, width }: Given) {
  const pointers = useRef(new Map<number, { x: number; y: number; startX: number; startY: number }>())
  const cursorAt = (event: PointerEvent<HTMLElement>): Cursor => {
    const box = event.currentTarget.getBoundingClientRect()
    const index = Math.floor(firstOf(view, count) + ((event.clientX - box.left) / width) * view.span)
    return { index: Math.min(Math.max(index, 0), count - 1), y: event.clientY - box.top }
  }
  return {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      // The browser would take the focus away again.
      event.preventDefault()
      input.current?.focus({ preventScroll: true })
      event.currentTarget.setPointerCapture(event.pointerId)
      const { clientX: x, clientY: y } = event
      pointers.current.set(event.pointerId, { x, y, startX: x, startY: y })
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      const before = pointers.current.get(event.pointerId)
      if (before === undefined) return event.pointerType === 'mouse' ? setCursor(cursorAt(event)) : undefined
      const other = [...pointers.current].find(([id]) => id !== event.pointerId)?.[1]
      const after = { ...before, x: event.clientX, y: event.clientY }
      pointers.current.set(event.pointerId, after)
      if (other) {
        const left = event.currentTarget.getBoundingClientRect().left
        const factor = Math.max(distance(after, other), 1) / Math.max(distance(before, other), 1)
        return setView(zoomed(view, count, factor, ((after.x + other.x) / 2 - left) / width))
      }
      // Where all is seen there is nowhere to move to: the finger reads values.
      if (view.span >= count) return setCursor(cursorAt(event))
      setView(panned(view, count, ((after.x - before.x) / width) * view.span))
    },
    onPointerUp: (event: PointerEvent<HTMLElement>) => {
      const start = pointers.current.get(event.pointerId)
      pointers.current.delete(event.pointerId)
      if (start && distance({ x: event.clientX, y: event.clientY }, { x: start.startX, y: start.startY }) < PRESS)
        setCursor(cursorAt(event))
    },
    onPointerCancel: (event: PointerEvent<HTMLElement>) => void pointers.current.delete(event.pointerId),
    onPointerLeave: (event: PointerEvent<HTMLElement>) => event.pointerType === 'mouse' && setCursor(null),
  }
}

const distance = (a: { x: number; y: number }, b: { x: number; y: number }): number => Math.hypot(a.x - b.x, a.y - b.y)

interface Shown {
  view: View
  cursor: Cursor | null
}

/** + and − zoom, Escape puts the values away; arrows, Home and End are the input's own. Null: not ours. */
export function afterKey(key: string, { view, count, cursor }: Shown & { count: number }): Shown | null {
  const anchor = cursor === null ? 1 : (cursor.index + 0.5 - firstOf(view, count)) / view.span
  if (key === '+' || key === '=') return { view: zoomed(view, count, KEY_ZOOM, anchor), cursor }
  if (key === '-' || key === '_') return { view: zoomed(view, count, 1 / KEY_ZOOM, anchor), cursor }
  return key === 'Escape' && cursor !== null ? { view, cursor: null } : null
}

/** React listens to wheels passively, so that the page would scroll with the zoom. */
function useWheel(given: Given): void {
  const latest = useRef(given)
  useEffect(() => {
    latest.current = given
  }, [given])
  const { plot } = given
  useEffect(() => {
    const element = plot.current
    if (element === null) return undefined
    const turn = (event: WheelEvent) => {
      const { count, view, setView, width } = latest.current
      const sideways = Math.abs(event.deltaX) > Math.abs(event.deltaY)
      if (!sideways && !event.ctrlKey && !element.contains(document.activeElement)) return
      event.preventDefault()
      const anchor = (event.clientX - element.getBoundingClientRect().left) / width
      setView(
        sideways
          ? panned(view, count, -(event.deltaX / width) * view.span)
          : zoomed(view, count, Math.exp(-event.deltaY / 400), anchor),
      )
    }
    element.addEventListener('wheel', turn, { passive: false })
    return () => element.removeEventListener('wheel', turn)
  }, [plot])
}
