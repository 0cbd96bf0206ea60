import type { Stock } from '@digger/contract'
import { Link } from 'wouter'
import { Panel } from '../../components/Panel.tsx'
import { usePathUser } from '../../url/user.ts'
import type { Draft } from './draft.ts'
import { OwnShares } from './OwnShares.tsx'
import { Preview } from './Preview.tsx'
import css from './SettingsPage.module.css'
import { StockStop } from './StockStop.tsx'

/** What the draft would do, and what is not part of it: changed apart, at once. */
export function SettingsSide({ stock, draft }: { stock: Stock; draft: Draft }) {
  const userId = usePathUser()
  return (
    <div className={css['side']}>
      <Preview stock={stock} draft={draft} />
      <OwnShares stock={stock} />
      <Panel label="멈춤">
        <h2>멈춤</h2>
        <p className={css['note']}>이 종목만 멈추거나 다시 시작합니다.</p>
        <StockStop stock={stock} />
      </Panel>
      <Link href={`/${userId}/stock/${stock.code}/trade`}>매매 화면으로</Link>
    </div>
  )
}
