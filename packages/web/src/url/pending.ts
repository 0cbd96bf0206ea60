/** What a press leads to, which begins with the picture after it: at its ease, or at once. */
interface Pending {
  go: () => void
  hurry: () => void
}

let pending: Pending[] = []

function take(): Pending[] {
  const now = pending
  pending = []
  return now
}

/** What was pressed looks pressed before the page is taken apart. A page that nobody sees has no pictures. */
export function afterPicture(go: () => void, hurry = go): void {
  if (document.visibilityState === 'hidden') return go()
  pending.push({ go, hurry })
  if (pending.length > 1) return
  requestAnimationFrame(() =>
    setTimeout(() => {
      for (const one of take()) one.go()
    }),
  )
}

/** The next press, and what is written into the address meanwhile, find the page that the last press leads to. */
export function settle(): void {
  for (const one of take()) one.hurry()
}

/** Another page takes the place of where the press would lead. */
export const forgetPending = (): void => void take()

/** To be called once, before anything is pressed. */
export const watchPending = (): void => window.addEventListener('click', settle, { capture: true })
