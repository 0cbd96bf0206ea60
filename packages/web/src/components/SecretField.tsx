import { useState, type ComponentProps } from 'react'
import { Field } from './Field.tsx'
import { Icon } from './Icon.tsx'
import css from './SecretField.module.css'

/** A field whose text is hidden until one wants to see it. */
export function SecretField(props: Omit<ComponentProps<typeof Field>, 'type' | 'end'>) {
  const [shown, setShown] = useState(false)
  return (
    <Field
      {...props}
      type={shown ? 'text' : 'password'}
      autoCapitalize="none"
      spellCheck={false}
      end={
        <button
          type="button"
          className={css['eye']}
          // Not the field's name: it would be found for the field.
          aria-label="글자 보기"
          aria-pressed={shown}
          onClick={() => setShown(!shown)}
        >
          <Icon name="eye" size={20} />
        </button>
      }
    />
  )
}
