import type { Stock } from '@digger/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState, type FormEvent, type RefObject } from 'react'
import { flushSync } from 'react-dom'
import { useTexts } from '../../url/query.ts'
import { draftOf, type Draft } from './draft.ts'
import { saveStock } from './saveStock.ts'
import { settingsErrors, type SettingsErrors } from './settingsErrors.ts'

interface Options {
  onSaved: (stock: Stock) => void
  /** Runs instead of saving this one stock. Null: it was refused, what was typed stays. */
  onSave?: ((stock: Stock, draft: Draft) => Promise<Stock | null>) | undefined
  /** Says what is wrong while it is typed, and sends only what is not; else the server says it. */
  isChecked: boolean
}

interface SettingsDraft {
  draft: Draft
  setDraft: (draft: Draft) => void
  errors: SettingsErrors
  submit: (event: FormEvent<HTMLFormElement>) => void
  busy: boolean
}

/** The settings of a stock while somebody types: what is wrong stands at its field, all at once, and the first of it gets the focus. */
export function useSettingsDraft(stock: Stock, { onSaved, onSave, isChecked }: Options): SettingsDraft {
  const [draft, setDraft] = useState(() => draftOf(stock))
  const [refused, setRefused] = useState<SettingsErrors>({})
  const [busy, setBusy] = useState(false)
  const client = useQueryClient()
  const errors = isChecked ? { ...refused, ...settingsErrors(draft) } : refused
  const save = async (form: HTMLFormElement) => {
    setBusy(true)
    const showErrors = (found: SettingsErrors) => {
      flushSync(() => setRefused(found))
      focusWrong(form)
    }
    const saved = await (onSave ? onSave(stock, draft) : saveStock(client, stock, draft, showErrors))
    setBusy(false)
    if (saved) onSaved(saved)
  }
  return {
    draft,
    setDraft(next) {
      setDraft(next)
      // Of another value the server has said nothing yet.
      setRefused({})
    },
    errors,
    submit(event) {
      event.preventDefault()
      if (busy) return
      if (isChecked && Object.keys(settingsErrors(draft)).length > 0) focusWrong(event.currentTarget)
      else void save(event.currentTarget)
    },
    busy,
  }
}

const focusWrong = (form: HTMLFormElement): void =>
  form.querySelector<HTMLInputElement>('input[aria-invalid="true"]')?.focus()

/** Of the form: whoever came to change the setting that `field` of the address names types at once; the number there is replaced. */
export function useAskedField(): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null)
  const [text] = useTexts()
  const field = text('field')
  useEffect(() => {
    const input = field === '' ? null : form.current?.elements.namedItem(field)
    if (input instanceof HTMLInputElement) input.select()
  }, [field])
  return form
}
