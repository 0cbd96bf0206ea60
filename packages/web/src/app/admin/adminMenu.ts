import type { BulkKind } from '@digger/contract'
import { call } from '../../api/call.ts'
import { ask, row, type SheetItem } from '../../ask/ask.ts'
import { touchedText } from '../../features/jobs/jobText.ts'
import type { AdminUser } from './useAdminUsers.ts'
import { connect, disconnect, isOfPassword, openKey, runForEach, runOnServer, type UserTask } from './bulk.ts'
import type { useBulk } from './bulkState.ts'
import { PASSWORD, WITHOUT_SOCKET } from './userMenu.ts'

interface Bulk {
  users: readonly AdminUser[]
  /** The administrator's own. */
  email: string
  run: ReturnType<typeof useBulk>['run']
  whenFree: ReturnType<typeof useBulk>['whenFree']
  addStock: () => Promise<void>
}

/** What can be done to all users at once, the harmless first. */
export const WEIGHTS = ['보기', '연결', '장부', '주문'] as const
type Weight = (typeof WEIGHTS)[number]
export type BulkAction = SheetItem & { weight: Weight }

/** What it would do; whom it is for, where that cannot be read just now. */
async function previewNote(kind: BulkKind, users: number): Promise<string> {
  const all = `사용자 ${users}명 모두에게 적용됩니다.`
  try {
    const preview = await call('previewJob', { params: { kind } }, { progress: false })
    const keys =
      preview.withKey === null
        ? ' 키가 열린 사용자가 몇 명인지는 지금 모릅니다.'
        : ` 키가 열린 사용자는 ${preview.withKey}명입니다.`
    return `${all}${keys} 달라지는 것: ${touchedText(preview)}.`
  } catch {
    return all
  }
}

/** Tasks that are asked for first, each with its question. */
const QUESTIONS = {
  bulkFix: ['fix', '모든 사용자의 장부를 증권사 잔고에 맞출까요?'],
  bulkCancel: ['cancel', '모든 사용자의 미체결 주문을 취소할까요?'],
  bulkSell: ['sell', '모든 사용자의 보유 종목을 목표가에 매도 걸까요?'],
} as const

/** Everything that can be done to all users at once, in the order of the menu. */
export function bulkActions({ users, email, run, whenFree, addStock }: Bulk): BulkAction[] {
  const action = (weight: Weight, name: string, begin: () => unknown): BulkAction => ({
    ...row(name, whenFree(begin), weight === '주문'),
    weight,
  })
  const onServer = (name: string, task: 'bulkCheck' | 'bulkLogin') => () => run(name, () => runOnServer(task))
  const asked = (name: string, task: keyof typeof QUESTIONS) => async () => {
    const [kind, question] = QUESTIONS[task]
    const note = await previewNote(kind, users.length)
    if (await ask.confirm(question, { note, yes: '실행', danger: true })) await run(name, () => runOnServer(task))
  }
  const each = (name: string, task: UserTask) => run(name, (onProgress) => runForEach(users, task, onProgress))
  const createKeys = async () => {
    const password = await ask.prompt('모든 사용자의 키 만들기', PASSWORD)
    if (password === null) return
    const task = openKey(email, password)
    await run('키 만들기', (onProgress) => runForEach(users, task, onProgress, isOfPassword))
  }
  const disconnectAll = async () => {
    const question = `사용자 ${users.length}명의 소켓(시세 연결)을 모두 끊을까요?`
    if (await ask.confirm(question, { note: WITHOUT_SOCKET, yes: '모두 끊기', danger: true }))
      await each('소켓 끊기', disconnect)
  }
  return [
    action('보기', '잔고 확인', onServer('잔고 확인', 'bulkCheck')),
    action('장부', '잔고 맞춤', asked('잔고 맞춤', 'bulkFix')),
    action('주문', '주문 모두 취소', asked('주문 취소', 'bulkCancel')),
    action('주문', '매도 모두 걸기', asked('매도 걸기', 'bulkSell')),
    action('연결', '키 만들기', createKeys),
    action('연결', '로그인', onServer('증권사 로그인', 'bulkLogin')),
    action('연결', '소켓 모두 연결', () => each('소켓 연결', connect)),
    action('연결', '소켓 모두 끊기', disconnectAll),
    action('장부', '종목 추가', addStock),
  ]
}
