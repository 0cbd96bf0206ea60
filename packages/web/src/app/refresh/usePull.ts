import { useEffect, useEffectEvent } from 'react'
import { isPageTouch, isPullable, pulledBy, READY_PX } from './pullGesture.ts'

export type PullPhase = 'pulling' | 'ready'

interface Given {
  /** The finger has pulled so far, px. */
  onPull: (pulled: number, phase: PullPhase) => void
  /** It was lifted: far enough or not. */
  onRelease: (isReady: boolean) => void
}

/** Follows a finger that pulls the page down from its very top. */
export function usePull({ onPull, onRelease }: Given): void {
  const pull = useEffectEvent(onPull)
  const release = useEffectEvent(onRelease)
  useEffect(() => {
    const tracker = trackerOf(pull, release)
    const { start, move, end, cancel } = tracker
    // A listener that may stop the browser's own scrolling would slow it down everywhere: it is there at the top only.
    const watchTop = () => {
      if (scrollY > 0) document.removeEventListener('touchmove', move)
      else document.addEventListener('touchmove', move, { passive: false })
    }
    watchTop()
    const passive = { passive: true }
    document.addEventListener('scroll', watchTop, passive)
    document.addEventListener('touchstart', start, passive)
    document.addEventListener('touchend', end, passive)
    document.addEventListener('touchcancel', cancel, passive)
    return () => {
      document.removeEventListener('touchmove', move)
      document.removeEventListener('scroll', watchTop)
      document.removeEventListener('touchstart', start)
      document.removeEventListener('touchend', end)
      document.removeEventListener('touchcancel', cancel)
    }
  }, [])
}

/** One finger at a time: from its first touch to its last. */
function trackerOf(pull: Given['onPull'], release: Given['onRelease']) {
  let from: { x: number; y: number } | null = null
  let pulled: number | null = null
  const stop = (isReady: boolean) => {
    const was = pulled
    from = pulled = null
    if (was !== null) release(isReady && was >= READY_PX)
  }
  return {
    start: ({ touches, target }: TouchEvent) => {
      const [touch] = touches
      stop(false)
      if (touches.length > 1 || touch === undefined || scrollY > 0 || !isPullable(location.pathname)) return
      if (isPageTouch(target)) from = { x: touch.clientX, y: touch.clientY }
    },
    move: (event: TouchEvent) => {
      const [touch] = event.touches
      if (from === null || touch === undefined) return
      const now = pulledBy(from, { x: touch.clientX, y: touch.clientY })
      if (now === null) return
      // A finger that went elsewhere first scrolls, or turns a row of chips.
      if (now === 0 && pulled === null) return void (from = null)
      if (event.cancelable) event.preventDefault()
      pulled = now
      pull(now, now >= READY_PX ? 'ready' : 'pulling')
    },
    end: () => stop(true),
    cancel: () => stop(false),
  }
}
