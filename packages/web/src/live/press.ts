import { notifyManager } from '@tanstack/react-query'

/** A press that takes longer is one that rests: what waited for it goes on meanwhile, ms. */
const MAX_HOLD_MS = 400

const BEGIN = ['pointerdown', 'keydown'] as const
const END = ['pointerup', 'pointercancel', 'keyup'] as const

let pressed = false
let timer = 0
let waiting: (() => void)[] = []

/** A key that is held presses again and again: it holds up nothing for longer either. */
function press(): void {
  if (pressed) return
  pressed = true
  timer = window.setTimeout(release, MAX_HOLD_MS)
}

/** The picture that shows what the press did comes first; the click of a finger may come a frame after it is lifted. */
function lift(): void {
  if (pressed) requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(release)))
}

function release(): void {
  window.clearTimeout(timer)
  pressed = false
  letGo()
}

/** What waits is done now, and drawn as one: who is about to change the same thing changes the newest. */
export function letGo(): void {
  const works = waiting
  waiting = []
  notifyManager.batch(() => {
    for (const work of works) attempt(work)
  })
}

/** One that fails costs only itself. */
function attempt(work: () => void): void {
  try {
    work()
  } catch (error) {
    reportError(error)
  }
}

/** Runs it at once, or after the picture of the press that is under way, in order: who presses waits for nothing else. */
export function afterPress(work: () => void): void {
  if (pressed) waiting.push(work)
  else work()
}

/** Looks out for presses until the returned function is called. */
export function watchPresses(): () => void {
  for (const begin of BEGIN) window.addEventListener(begin, press, { capture: true, passive: true })
  for (const end of END) window.addEventListener(end, lift, { capture: true, passive: true })
  return () => {
    for (const begin of BEGIN) window.removeEventListener(begin, press, { capture: true })
    for (const end of END) window.removeEventListener(end, lift, { capture: true })
    waiting = []
    release()
  }
}
