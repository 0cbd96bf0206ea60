import type { Stock } from '@digger/contract'
import type { Draft } from '../draft.ts'

export interface WhatIfProps {
  /** As it is saved. */
  stock: Stock
  draft: Draft
  onFill: (draft: Draft) => void
  /** Leads to the button that saves. */
  onShowSave: () => void
}
