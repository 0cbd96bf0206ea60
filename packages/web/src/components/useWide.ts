import { useSyncExternalStore } from 'react'

/** From here on there is room for a menu beside the page, and for tables instead of cards (spec: lg). */
const WIDE = '(min-width: 1280px)'

function watch(changed: () => void): () => void {
  const media = matchMedia(WIDE)
  media.addEventListener('change', changed)
  return () => media.removeEventListener('change', changed)
}

/** Whether the window is as wide as a desktop's; follows its size. */
export const useWide = (): boolean =>
  useSyncExternalStore(
    watch,
    () => matchMedia(WIDE).matches,
    () => false,
  )
