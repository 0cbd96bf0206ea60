import { Panel } from '../../../components/Panel.tsx'
import { Bar } from '../../../components/Progress.tsx'
import { Loading } from '../../../components/QueryView.tsx'
import css from './WhatIf.module.css'

/** While stocks are still being traded again, or where they cannot be. */
export function UnderWay({ done, total, problem }: { done: number; total: number; problem: string | null }) {
  if (problem !== null)
    return (
      <p className={css['problem']} role="alert">
        {problem}
      </p>
    )
  return (
    <>
      <Panel label="모두 합해">
        <h2>모두 합해</h2>
        <Bar done={done} total={total} label="다시 매매해 본 종목" />
      </Panel>
      <Loading rows={6} />
    </>
  )
}
