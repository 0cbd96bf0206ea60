import type { BulkKind } from '@digger/contract'
import { call } from '../../api/call.ts'
import { touchedText } from '../../features/jobs/jobText.ts'
import { ask, row, type PromptField, type SheetItem } from '../../ask/ask.ts'
import type { AdminUser } from './AdminFrame.tsx'
import { closeKey, connect, disconnect, letAdd, openKey, runForEach, runOnServer, type UserTask } from './bulk.ts'
import type { useBulk } from './useBulk.ts'

interface Bulk {
  users: readonly AdminUser[]
  /** The administrator's own. */
  email: string
  run: ReturnType<typeof useBulk>['run']
  addStock: () => Promise<void>
}

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

const PASSWORD: PromptField = { label: '관리자 비밀번호', type: 'password' }

/** Everything that can be done to all users at once. */
export function bulkMenu({ users, email, run, addStock }: Bulk): SheetItem[] {
  const sure = async (question: string, kind: BulkKind) =>
    ask.confirm(question, { note: await previewNote(kind, users.length), yes: '실행', danger: true })
  const each = (name: string, task: UserTask) => run(name, (onProgress) => runForEach(users, task, onProgress))
  const createKeys = async () => {
    const password = await ask.prompt('모든 사용자의 키 만들기', PASSWORD)
    if (password) await each('키 만들기', openKey(email, password))
  }
  return [
    row('잔고 확인', () => run('잔고 확인', () => runOnServer('bulkCheck'))),
    row('잔고 맞춤', () => run('잔고 맞춤', () => runOnServer('bulkFix'))),
    row(
      '주문 모두 취소',
      async () => {
        if (await sure('모든 사용자의 미체결 주문을 취소할까요?', 'cancel'))
          await run('주문 취소', () => runOnServer('bulkCancel'))
      },
      true,
    ),
    row(
      '매도 모두 걸기',
      async () => {
        if (await sure('모든 사용자의 보유 종목을 목표가에 매도 걸까요?', 'sell'))
          await run('매도 걸기', () => runOnServer('bulkSell'))
      },
      true,
    ),
    row('키 만들기', createKeys),
    row('로그인', () => run('증권사 로그인', () => runOnServer('bulkLogin'))),
    row('소켓 모두 연결', () => each('소켓 연결', connect)),
    row('소켓 모두 끊기', () => each('소켓 끊기', disconnect)),
    row('종목 추가', addStock),
  ]
}

/** What can be done to one user. */
export function userMenu(user: AdminUser, email: string, act: (task: UserTask) => void): SheetItem[] {
  const createKey = async () => {
    const password = await ask.prompt(`${user.email} 키 만들기`, PASSWORD)
    if (password) act(openKey(email, password))
  }
  // What is not known may be either: both are offered.
  return [
    ...(user.userKey === false ? [] : [row('키 삭제', () => act(closeKey), true)]),
    ...(user.userKey === true ? [] : [row('키 만들기', () => void createKey())]),
    ...(user.socket === false ? [] : [row('소켓 끊기', () => act(disconnect))]),
    ...(user.socket === true ? [] : [row('소켓 연결', () => act(connect))]),
    user.mayAddStocks
      ? row(
          '종목 추가 막기',
          () => act(letAdd(false)),
          false,
          '스스로 종목을 추가하지 못합니다. 관리자는 언제나 추가합니다.',
        )
      : row('종목 추가 허용', () => act(letAdd(true)), false, '스스로 종목을 추가할 수 있습니다.'),
  ]
}
