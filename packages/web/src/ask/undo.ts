/** How long the way back is offered, ms. */
const OFFER_MS = 5_000

interface Offer {
  text: string
  undo: () => void
}

let offer: Offer | null = null
let timer: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<() => void>()

function change(next: Offer | null): void {
  clearTimeout(timer)
  offer = next
  for (const listener of listeners) listener()
}

/** Says what was done, with the way back, until the time is over or something else was done. `work`: false takes the offer away. */
export function offerUndo(text: string, undo: () => void, work?: Promise<boolean>): void {
  const mine = {
    text,
    undo: () => {
      change(null)
      undo()
    },
  }
  change(mine)
  timer = setTimeout(() => change(null), OFFER_MS)
  void work?.then((done) => !done && offer === mine && change(null))
}

export const currentOffer = (): Offer | null => offer
export function watchOffer(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
