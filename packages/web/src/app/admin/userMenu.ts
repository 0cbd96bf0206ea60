import { ask, row, type PromptField, type SheetItem } from '../../ask/ask.ts'
import type { AdminUser } from './useAdminUsers.ts'
import { closeKey, connect, disconnect, letAdd, openKey, type UserTask } from './bulk.ts'

export const PASSWORD: PromptField = { label: '관리자 비밀번호', type: 'password' }
export const WITHOUT_SOCKET =
  '새 가격이 오지 않아 자동으로 사지 않습니다. 걸어 둔 주문은 증권사에 그대로 있어 체결될 수 있고, 목표가 매도는 나갈 수 있습니다. ‘소켓 연결’을 누르면 다시 이어집니다.'
const WITHOUT_KEY =
  'Digger가 이 사용자의 주문을 내지도 취소하지도 못하고, 시세 연결도 끊깁니다. 걸어 둔 주문은 증권사에 그대로 남습니다. 다시 로그인하거나 ‘키 만들기’를 해야 매매가 이어집니다.'

const NO_ADDING = '스스로 종목을 추가하지 못합니다. 관리자는 언제나 추가합니다.'

/** What can be done to one user. `act` names the task. */
export function userMenu(user: AdminUser, email: string, act: (name: string, task: UserTask) => void): SheetItem[] {
  const createKey = async () => {
    const password = await ask.prompt(`${user.email} 키 만들기`, PASSWORD)
    if (password !== null) act('키 만들기', openKey(email, password))
  }
  const deleteKey = async () => {
    const question = `${user.email}의 키(주문 권한)를 삭제할까요?`
    if (await ask.confirm(question, { note: WITHOUT_KEY, yes: '키 삭제', danger: true })) act('키 삭제', closeKey)
  }
  const cut = async () => {
    const question = `${user.email}의 소켓(시세 연결)을 끊을까요?`
    if (await ask.confirm(question, { note: WITHOUT_SOCKET, yes: '소켓 끊기', danger: true }))
      act('소켓 끊기', disconnect)
  }
  // What is not known may be either: both are offered.
  return [
    ...(user.userKey === false ? [] : [row('키 삭제', deleteKey, true)]),
    ...(user.userKey === true ? [] : [row('키 만들기', createKey)]),
    ...(user.socket === false ? [] : [row('소켓 끊기', cut)]),
    ...(user.socket === true ? [] : [row('소켓 연결', () => act('소켓 연결', connect))]),
    // An administrator adds stocks as such.
    ...(user.email === email ? [] : [adding(user, act)]),
  ]
}

const adding = (user: AdminUser, act: (name: string, task: UserTask) => void): SheetItem =>
  user.mayAddStocks
    ? row('종목 추가 막기', () => act('종목 추가 막기', letAdd(false)), false, NO_ADDING)
    : row('종목 추가 허용', () => act('종목 추가 허용', letAdd(true)), false, '스스로 종목을 추가할 수 있습니다.')
