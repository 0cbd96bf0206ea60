import css from './Chips.module.css'

export interface Chip {
  name: string
  on: boolean
  /** Turns a switch the other way, or makes this one of many the chosen one. */
  func: () => void
}

/** `choice`: one of many, the chosen one is black. `switches`: each on or off by itself, tinted with ✓ while on. */
export interface ChipGroup {
  kind: 'choice' | 'switches'
  label: string
  chips: readonly Chip[]
}

/** What the page's menu can change of the view, with its state, in one row that scrolls sideways where it must. */
export function Chips({ groups }: { groups: readonly ChipGroup[] }) {
  return (
    <div className={css['chips']}>
      {groups.map(({ kind, label, chips }) => (
        <fieldset key={label} className={css['group']}>
          <legend className="unseen">{label}</legend>
          {chips.map(({ name, on, func }) => (
            <button key={name} type="button" className={css['chip']} data-kind={kind} aria-pressed={on} onClick={func}>
              {name}
            </button>
          ))}
        </fieldset>
      ))}
    </div>
  )
}

export const choice = (label: string, chips: readonly Chip[]): ChipGroup => ({ kind: 'choice', label, chips })
export const switches = (label: string, chips: readonly Chip[]): ChipGroup => ({ kind: 'switches', label, chips })
