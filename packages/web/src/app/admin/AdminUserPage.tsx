import type { Stock } from '@digger/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { report } from '../../api/send.ts'
import { ask } from '../../ask/ask.ts'
import { newStock, type Draft } from '../../features/stock/draft.ts'
import { STOCK_CODE, stockCodeOf } from '../../features/stock/stockCode.ts'
import { EditDialog } from '../../features/stock/EditDialog.tsx'
import { ME } from '../../url/user.ts'
import { useViewer } from '../../viewer/viewer.ts'
import { AdminFrame, useAdminUsers, type AdminUser } from './AdminFrame.tsx'
import { bulkMenu, userMenu } from './adminMenu.ts'
import { refreshUsers, runForEach, saving, sentenceOf, type UserTask } from './bulk.ts'
import { BulkHead } from './BulkPanel.tsx'
import { useBulk } from './useBulk.ts'

export function AdminUserPage() {
  const { data: users = [] } = useAdminUsers()
  const { email } = useViewer()
  const client = useQueryClient()
  const { state, run, close } = useBulk(users.length)
  const [added, setAdded] = useState<Stock | null>(null)

  const addStock = async () => {
    const code = await ask.prompt('모든 사용자에게 종목 추가', STOCK_CODE)
    if (code) setAdded(newStock(ME, stockCodeOf(code)))
  }
  const saveForAll = async (stock: Stock, draft: Draft) => {
    setAdded(null)
    await run(`${stock.code} 추가`, (onProgress) => runForEach(users, saving(stock, draft), onProgress))
    return stock
  }
  const act = async (task: UserTask, user: AdminUser) => {
    try {
      const more = sentenceOf(await task(user))
      await refreshUsers(client)
      if (more !== null) await ask.alert(more)
    } catch (error) {
      report(error)
    }
  }
  const open = (user: AdminUser) =>
    void ask.sheet(
      user.email,
      userMenu(user, email, (task) => void act(task, user)),
    )

  return (
    <AdminFrame
      title="Admin User"
      name="사용자"
      menu={bulkMenu({ users, email, run, addStock })}
      head={<BulkHead state={state} onClose={close} />}
      onMenu={open}
      foot={added && <EditDialog stock={added} onClose={() => setAdded(null)} onSave={saveForAll} />}
    />
  )
}
