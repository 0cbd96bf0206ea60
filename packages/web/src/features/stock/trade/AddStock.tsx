import { useState } from 'react'
import { Button } from '../../../components/Button.tsx'
import { Empty } from '../../../components/QueryView.tsx'
import { usePathUser } from '../../../url/user.ts'
import { useViewer } from '../../../viewer/viewer.ts'
import { newStock } from '../draft.ts'
import { EditDialog } from '../EditDialog.tsx'

/** A code that is not in the list: who may add stocks adds it, anyone else learns why there is nothing. */
export function AddStock({ code }: { code: string }) {
  const userId = usePathUser()
  const { mayAdd } = useViewer()
  const [open, setOpen] = useState(false)
  return (
    <Empty title={`${code} 종목은 목록에 없습니다`}>
      <p>
        {mayAdd
          ? '설정을 정하면 목록에 추가됩니다. 자동 매수와 매도는 꺼진 채로 시작합니다.'
          : '종목은 관리자가 추가합니다.'}
      </p>
      {mayAdd && (
        <Button look="main" onClick={() => setOpen(true)}>
          종목 추가
        </Button>
      )}
      {open && <EditDialog stock={newStock(userId, code)} onClose={() => setOpen(false)} />}
    </Empty>
  )
}
