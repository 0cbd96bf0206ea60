import type { AnnouncedAction } from '@digger/contract'
import { Panel } from '../../../components/Panel.tsx'
import { announcedNotes, announcedText } from '../announced.ts'
import css from './FrozenPanel.module.css'

/** A day to come on which the share becomes another one. */
export function AnnouncedPanel({ action }: { action: AnnouncedAction }) {
  return (
    <Panel label="예정된 일">
      <h2>{announcedText(action)}</h2>
      {announcedNotes(action).map((note) => (
        <p key={note} className={css['note']}>
          {note}
        </p>
      ))}
    </Panel>
  )
}
