import type { Stock } from '@digger/contract'
import { useState } from 'react'
import { ask } from '../../ask/ask.ts'
import { Page } from '../../components/Page.tsx'
import { Empty, QueryView } from '../../components/QueryView.tsx'
import { newStock, type Draft } from '../../features/stock/draft.ts'
import { STOCK_CODE, stockCodeOf } from '../../features/stock/stockCode.ts'
import { EditDialog } from '../../features/stock/EditDialog.tsx'
import { ME } from '../../url/user.ts'
import { useViewer } from '../../viewer/viewer.ts'
import { useAdminUsers } from './useAdminUsers.ts'
import { bulkActions } from './adminMenu.ts'
import { AllUsers } from './AllUsers.tsx'
import { isOfDraft, runForEach, saving, type OnProgress } from './bulk.ts'
import { useBulk } from './bulkState.ts'

/** Every account with how it stands, and what can be done to all of them. */
export function AdminUserPage() {
  const query = useAdminUsers()
  const users = query.data ?? []
  const { email } = useViewer()
  const { state, run, whenFree, close } = useBulk(users.length)
  const [added, setAdded] = useState<Stock | null>(null)

  const addStock = async () => {
    const code = await ask.prompt('모든 사용자에게 종목 추가', STOCK_CODE)
    if (code) setAdded(newStock(ME, stockCodeOf(code)))
  }
  // The dialog gives way to the lines of the users with the first of them; until then what was typed may be refused.
  const saveForAll = async (stock: Stock, draft: Draft) => {
    let isTaken = false
    const take = (onProgress: OnProgress): OnProgress => {
      return (results) => {
        isTaken = true
        setAdded(null)
        onProgress(results)
      }
    }
    await run(`${stock.code} 추가`, (onProgress) =>
      runForEach(users, saving(stock, draft), take(onProgress), isOfDraft),
    )
    return isTaken ? stock : null
  }
  const actions = bulkActions({ users, email, run, whenFree, addStock })
  return (
    <Page title="Admin User" name="사용자" homeHref={`/${ME}/admin/user`} menu={actions} wide>
      <QueryView query={query} empty={{ when: (list) => list.length === 0, show: <Empty title="사용자가 없습니다" /> }}>
        {(list) => <AllUsers users={list} actions={actions} bulk={state} onClose={close} />}
      </QueryView>
      {added && <EditDialog stock={added} onClose={() => setAdded(null)} onSave={saveForAll} />}
    </Page>
  )
}
