import type { Stock } from '@digger/contract'
import { Button } from '../../components/Button.tsx'
import { Modal } from '../../components/Modal.tsx'
import { changesOf, type Draft } from './draft.ts'
import css from './EditDialog.module.css'
import { SettingsFields } from './SettingsFields.tsx'
import { useSettingsDraft } from './useSettingsDraft.ts'

interface Props {
  stock: Stock
  onClose: () => void
  /** Runs instead of saving this one stock. Null: it was refused, the dialog stays. */
  onSave?: (stock: Stock, draft: Draft) => Promise<Stock | null>
}

/** The stock edit dialog. Stays open when the server refuses, with everything that was typed, and while something is typed only its own buttons close it. */
export function EditDialog({ stock, onClose, onSave }: Props) {
  const { draft, setDraft, errors, submit, busy } = useSettingsDraft(stock, {
    onSaved: onClose,
    onSave,
    isChecked: false,
  })
  const isTyped = Object.keys(changesOf(stock, draft)).length > 0
  return (
    <Modal label={`${stock.name} 설정`} look="narrow" onClose={onClose} persistent locked={isTyped}>
      <form className={css['form']} onSubmit={submit} noValidate>
        <h2>
          {stock.name} <small>{stock.code}</small>
        </h2>
        <div className={css['fields']}>
          <SettingsFields draft={draft} seen={stock} price={stock.price} onChange={setDraft} errors={errors} />
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
