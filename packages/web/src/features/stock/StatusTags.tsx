import type { Stock } from '@digger/contract'
import { barringStatus, STATUS_NAMES, type IssueStatus } from '@digger/core'
import { Fragment } from 'react'
import { ask } from '../../ask/ask.ts'
import { Tag } from '../../components/Badge.tsx'
import { stamp } from '../../format/time.ts'
import css from './StatusTags.module.css'

export type Designated = Pick<Stock, 'name' | 'statuses' | 'statusesAt'>

/** Red: nothing is bought, or nothing can be. */
const toneOf = (status: IssueStatus) =>
  status === 'halted' || barringStatus([status]) !== null ? ('red' as const) : ('plain' as const)

export const statusNames = (statuses: readonly IssueStatus[]): string =>
  statuses.map((status) => STATUS_NAMES[status]).join(', ')

/** What the exchange does to the stock, in its own words; a press says what that means. Nothing of an ordinary one. */
export function StatusTags({ name, statuses, statusesAt }: Designated) {
  if (statuses.length === 0) return null
  return (
    <button
      type="button"
      className={css['tags']}
      aria-haspopup="dialog"
      onClick={() => void explain({ name, statuses, statusesAt })}
    >
      <span className="unseen">{`${name} 종목 상태 `}</span>
      {statuses.map((status) => (
        <Fragment key={status}>
          <Tag text={STATUS_NAMES[status]} tone={toneOf(status)} />{' '}
        </Fragment>
      ))}
      <span>무슨 뜻?</span>
    </button>
  )
}

async function explain({ name, statuses, statusesAt }: Designated): Promise<void> {
  const { meaningsOf } = await import('./statusMeanings.ts')
  const paragraphs = meaningsOf(statuses, statusesAt === null ? null : stamp(statusesAt))
  await ask.alert(`${name}: ${statusNames(statuses)}`, paragraphs.join('\n'))
}
