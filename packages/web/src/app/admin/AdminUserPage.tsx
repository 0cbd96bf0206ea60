import type { Stock } from '@digger/contract'
import { useState } from 'react'
import { call } from '../../api/call.ts'
import { ask } from '../../ask/ask.ts'
import { choice } from '../../components/Chips.tsx'
import { Page } from '../../components/Page.tsx'
import { Empty, QueryView } from '../../components/QueryView.tsx'
import { useWide } from '../../components/useWide.ts'
import { bodyOf, newStock, type Draft } from '../../features/stock/draft.ts'
import { EditDialog } from '../../features/stock/EditDialog.tsx'
import { useTexts } from '../../url/query.ts'
import { ME } from '../../url/user.ts'
import { useViewer } from '../../viewer/viewer.ts'
import { useAdminUsers, type AdminUser } from './AdminFrame.tsx'
import { bulkActions } from './adminMenu.ts'
import { runForEach, type UserTask } from './bulk.ts'
import { BulkHead } from './BulkPanel.tsx'
import { BulkSections } from './BulkSections.tsx'
import { useBulk } from './bulkState.ts'
import { UserList } from './UserList.tsx'
import { UserSums } from './UserSums.tsx'
import { showOf, SHOWS, usersOf, type Show } from './userSums.ts'

/** Every account with how it stands, and what can be done to all of them. */
export function AdminUserPage() {
  const query = useAdminUsers()
  const users = query.data ?? []
  const wide = useWide()
  const { email } = useViewer()
  const [text, setTexts] = useTexts()
  const { state, run, whenFree, close } = useBulk(users.length)
  const [added, setAdded] = useState<Stock | null>(null)

  const addStock = async () => {
    const code = await ask.prompt('모든 사용자에게 종목 추가', { label: '종목코드 6자리' })
    if (code) setAdded(newStock(ME, code.toUpperCase()))
  }
  const saveForAll = async (stock: Stock, draft: Draft) => {
    setAdded(null)
    await run(`${stock.code} 추가`, (onProgress) => runForEach(users, saving(stock, draft), onProgress))
    return stock
  }
  const actions = bulkActions({ users, email, run, whenFree, addStock })
  const show = showOf(text('show'))
  const chips = showChips(users, show, (name) => setTexts({ show: name }))
  const sections = <BulkSections actions={actions} />
  return (
    <Page title="Admin User" name="사용자" homeHref={`/${ME}/admin/user`} menu={actions} wide>
      <QueryView query={query} empty={{ when: (list) => list.length === 0, show: <Empty title="사용자가 없습니다" /> }}>
        {(list) => (
          <>
            <UserSums users={list} />
            {wide && sections}
            <BulkHead state={state} onClose={close} />
            <UserList users={usersOf(list, show)} chips={choice('볼 사용자', chips)} />
            {!wide && sections}
          </>
        )}
      </QueryView>
      {added && <EditDialog stock={added} onClose={() => setAdded(null)} onSave={saveForAll} />}
    </Page>
  )
}

const showChips = (users: readonly AdminUser[], shown: Show, go: (show: string) => void) =>
  SHOWS.map(([show, label]) => ({
    name: `${label} ${usersOf(users, show).length}`,
    on: show === shown,
    func: () => go(show === 'all' ? '' : show),
  }))

/** Adds a stock that nobody has (version 0), with what was typed. */
const saving =
  (stock: Stock, draft: Draft): UserTask =>
  ({ userId }) =>
    call('updateStock', { params: { userId, code: stock.code }, body: bodyOf(stock, draft) }, { progress: false })
