import { useState, type FormEvent, type ReactNode } from 'react'
import { Button } from './Button.tsx'
import css from './SubmitForm.module.css'

interface Props {
  /** The text of the button. */
  action: string
  /** False when something is missing; the fields show what. */
  check: () => boolean
  onSubmit: () => Promise<unknown>
  children: ReactNode
}

/** Fields one below the other and a wide button, which is disabled while `onSubmit` runs. */
export function SubmitForm({ action, check, onSubmit, children }: Props) {
  const [busy, setBusy] = useState(false)
  const run = async () => {
    if (busy || !check()) return
    setBusy(true)
    try {
      await onSubmit()
    } finally {
      setBusy(false)
    }
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void run()
  }
  return (
    // Before the scripts run a browser submits by itself: any other method would put the texts into the address.
    <form className={css['form']} method="dialog" onSubmit={submit} noValidate>
      {children}
      <Button look="main" type="submit" wide disabled={busy}>
        {action}
      </Button>
    </form>
  )
}
