import { memo } from 'react'
import { Assumptions } from './Assumptions.tsx'
import { aboveText, againstHolding, ASSUMPTIONS, closingText, returnText } from './figures.ts'
import { PastFigures } from './PastFigures.tsx'
import type { Outcome } from './rehearsalStore.ts'
import css from './WhatIf.module.css'

/** The figures and what to think of them. */
export const PastOutcome = memo(function PastOutcome({ run, saved }: Pick<Outcome, 'run' | 'saved'>) {
  const notes = [returnText(run), againstHolding(run), aboveText(run), closingText(run)].filter((text) => text !== null)
  return (
    <div className={css['side']}>
      <PastFigures run={run} saved={saved} />
      {notes.map((text) => (
        <p key={text} className={css['note']}>
          {text}
        </p>
      ))}
      <Assumptions texts={ASSUMPTIONS} />
    </div>
  )
})
