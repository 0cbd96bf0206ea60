import css from './LadderBar.module.css'
import { ladderBarParts, ladderBarText, type LadderCounts, type LadderState } from './ladderBarParts.ts'

/** How far down its ladder a stock is, one segment a step: held, order out, next, left of the cap. */
export function LadderBar({ state, ...counts }: LadderCounts & { state: LadderState }) {
  return (
    <div className={css['bar']} data-state={state}>
      <span className="unseen">{ladderBarText(counts, state)}</span>
      {ladderBarParts(counts).map(({ kind, size, first }) => (
        <i key={first} data-kind={kind} style={{ flexGrow: size }} aria-hidden="true" />
      ))}
    </div>
  )
}
