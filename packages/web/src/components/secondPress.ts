/** The second half of a double press comes so soon, ms, and so near, px. */
const SOON_MS = 500
const NEAR_PX = 24

interface Press {
  x: number
  y: number
  at: number
}

/** The last press inside a dialog. */
let inside: Press | null = null
/** The press that closed a dialog. */
let closing: Press | null = null

const pressOf = ({ clientX, clientY }: MouseEvent): Press => ({ x: clientX, y: clientY, at: performance.now() })

export const isSecond = (first: Press, { x, y, at }: Press): boolean =>
  at - first.at < SOON_MS && Math.hypot(x - first.x, y - first.y) < NEAR_PX

/** A dialog goes: what is pressed a moment later at the same place was meant for it, not for the page below. */
export function guardBelow(): void {
  closing = inside && { ...inside, at: performance.now() }
  inside = null
}

/** Whoever has typed or gone back since does not press a second time. */
const forget = (): void => {
  closing = null
}

/** To be called once, before anything is pressed. */
export function watchSecondPresses(): void {
  document.addEventListener(
    'click',
    (event) => {
      const isInside = event.target instanceof Element && event.target.closest('dialog') !== null
      const press = pressOf(event)
      // Keys press at no place.
      if (!isInside && event.detail > 0 && closing && isSecond(closing, press)) {
        event.preventDefault()
        event.stopPropagation()
      }
      inside = isInside ? press : null
      closing = null
    },
    { capture: true },
  )
  document.addEventListener('input', forget, { capture: true })
  window.addEventListener('popstate', forget)
}
