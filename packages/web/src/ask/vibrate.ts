/** As long as the specification says (9), ms. */
const VIBRATION_MS = 500

/**
 * Lets a phone be felt for a moment; iPhones and desktops have no such thing. Browsers refuse it before the first press and
 * report that, so it is not tried; and who wants less motion wants none of this kind either.
 */
export function vibrate(ms = VIBRATION_MS): void {
  if (!('vibrate' in navigator) || !navigator.userActivation.hasBeenActive) return
  if (!matchMedia('(prefers-reduced-motion: reduce)').matches) navigator.vibrate(ms)
}
