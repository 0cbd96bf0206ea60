import { useSyncExternalStore } from 'react'
import { currentOffer, watchOffer } from '../ask/undo.ts'
import css from './UndoBar.module.css'

/** Says for a moment what a press has done, with the way back. */
export function UndoBar() {
  const offer = useSyncExternalStore(watchOffer, currentOffer, () => null)
  return (
    <output className={css['place']}>
      {offer && (
        <span className={css['bar']}>
          {offer.text}
          <button type="button" onClick={offer.undo}>
            되돌리기
          </button>
        </span>
      )}
    </output>
  )
}
