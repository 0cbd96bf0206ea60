/** The indicator goes down this far before a release reads anew, and never further than the second, px. */
export const READY_PX = 56
const MAX_PX = 88
/** It goes more slowly than the finger: a hasty scroll to the top is no pull. */
const RESISTANCE = 0.45
/** A finger that has moved less has not decided where it goes, px. */
const SLOP_PX = 8

interface Point {
  readonly x: number
  readonly y: number
}

/** How far the indicator follows a finger: null while it has not decided, 0 when it goes elsewhere than down. */
export function pulledBy(from: Point, to: Point): number | null {
  const [across, down] = [Math.abs(to.x - from.x), to.y - from.y]
  if (Math.hypot(across, down) < SLOP_PX) return null
  return down <= 0 || across > down ? 0 : Math.min(MAX_PX, down * RESISTANCE)
}

/** Pages on which something is typed have nothing to read anew that would not disturb it. */
const FORMS = /^\/[^/]+\/(?:password|credentials|notification|stock\/[^/]+\/settings)$/

export const isPullable = (path: string): boolean => !FORMS.test(path)

/** Whether a touch on it belongs to the page alone: not to a field, a chart, a dialog, or a box that scrolls by itself. */
export function isPageTouch(target: EventTarget | null): boolean {
  if (!(target instanceof Element) || document.querySelector('dialog[open]') !== null) return false
  if (target.closest('input, textarea, select, [contenteditable], nav[aria-label="바로 가기"]') !== null) return false
  for (let at: Element | null = target; at !== null && at !== document.documentElement; at = at.parentElement) {
    if (!['auto', 'manipulation'].includes(getComputedStyle(at).touchAction) || at.scrollTop > 0) return false
  }
  return true
}
