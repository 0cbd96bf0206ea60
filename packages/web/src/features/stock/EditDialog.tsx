import type { Stock } from '@digger/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { Button } from '../../components/Button.tsx'
import { Modal } from '../../components/Modal.tsx'
import { draftOf, type Draft } from './draft.ts'
import css from './EditDialog.module.css'
import { SettingsFields } from './SettingsFields.tsx'
import { saveStock } from './saveStock.ts'

interface Props {
  stock: Stock
  onClose: () => void
  /** Runs instead of saving this one stock. Null: it was refused, the dialog stays. */
  onSave?: (stock: Stock, draft: Draft) => Promise<Stock | null>
}

/** The stock edit dialog. Stays open when the server refuses, with everything that was typed. */
export function EditDialog({ stock, onClose, onSave }: Props) {
  const [draft, setDraft] = useState(() => draftOf(stock))
  const [busy, setBusy] = useState(false)
  const client = useQueryClient()
  const submit = async () => {
    if (busy) return
    setBusy(true)
    const saved = await (onSave ? onSave(stock, draft) : saveStock(client, stock, draft))
    setBusy(false)
    if (saved) onClose()
  }
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    void submit()
  }
  return (
    <Modal label={`${stock.name} 설정`} look="narrow" onClose={onClose} persistent>
      <form className={css['form']} onSubmit={onSubmit} noValidate>
        <h2>
          {stock.name} <small>{stock.code}</small>
        </h2>
        <div className={css['fields']}>
          <SettingsFields draft={draft} price={stock.price} onChange={setDraft} />
        </div>
        <div className={css['buttons']}>
          <Button onClick={onClose}>취소</Button>
          <Button look="main" type="submit" disabled={busy}>
            저장
          </Button>
        </div>
      </form>
    </Modal>
  )
}
