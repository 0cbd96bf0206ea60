import type { Stock } from '@digger/contract'
import { memo } from 'react'
import { isSameBesidePrice } from '../besidePrice.ts'
import { AnnouncedPanel } from './AnnouncedPanel.tsx'
import { AwaitedPanel } from './AwaitedPanel.tsx'
import { FrozenPanel } from './FrozenPanel.tsx'
import { ShadowPanel } from './ShadowPanel.tsx'

/** That nothing is sent, and what corporate actions ask of the person; a move of the base price first, and alone. */
export const ActionPanels = memo(function ActionPanels({ stock }: { stock: Stock }) {
  const { frozen, announced, expected, shadow } = stock
  if (frozen) return <FrozenPanel stock={stock} move={frozen} />
  return (
    <>
      {shadow && <ShadowPanel />}
      {announced && <AnnouncedPanel action={announced} />}
      {expected && <AwaitedPanel stock={stock} awaited={expected} />}
    </>
  )
}, isSameBesidePrice)
