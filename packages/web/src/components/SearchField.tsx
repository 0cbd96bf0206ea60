import { memo } from 'react'
import { Icon } from './Icon.tsx'
import css from './SearchField.module.css'

interface Props {
  label: string
  placeholder: string
  value: string
  onChange: (text: string) => void
}

/** Narrows a list while one types. Not drawn anew when prices come. */
export const SearchField = memo(function SearchField({ label, placeholder, value, onChange }: Props) {
  return (
    <label className={css['field']}>
      <Icon name="search" size={20} />
      <span className="unseen">{label}</span>
      <input
        type="search"
        inputMode="search"
        enterKeyHint="search"
        autoComplete="off"
        value={value}
        placeholder={placeholder}
        onChange={(event) => onChange(event.target.value)}
      />
    </label>
  )
})
