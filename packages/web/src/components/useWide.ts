import { useSyncExternalStore } from 'react'

/** From here on there is room for a menu beside the page, and for tables instead of cards (spec: lg). */
const WIDE = '(min-width: 1280px)'

let media: MediaQueryList | null = null
/** One for all: to ask for another at each render takes as long as the rest of a list. */
const wide = (): MediaQueryList => (media ??= matchMedia(WIDE))

function watch(changed: () => void): () => void {
  wide().addEventListener('change', changed)
  return () => wide().removeEventListener('change', changed)
}

/** Whether the window is as wide as a desktop's; follows its size. */
export const useWide = (): boolean =>
  useSyncExternalStore(
    watch,
    () => wide().matches,
    () => false,
  )
