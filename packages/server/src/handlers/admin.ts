import { type ErrorCode, Refused } from '@digger/contract'
import type { UserRow } from '@digger/database'
import { checkAgain, findUser, listUsers, mayAddStocks, setMayAddStocks } from '@digger/identity'
import type { AccountState } from '@digger/forward'
import { morningSummary, summaryView } from '@digger/screens'
import { idleOf } from './account.ts'
import type { Given, Handlers } from '@digger/http'
import type { Services } from '../services.ts'
import { connectBroker } from './broker-connection.ts'
import { needSecondProof } from './prove.ts'
import { type WorkerCalls, workerHandlers } from './worker.ts'

type AdminCalls = 'adminUsers' | 'adminUser' | 'setMayAdd' | 'createUserKey' | 'deleteUserKey'

export function adminHandlers(services: Services): Pick<Handlers, AdminCalls | WorkerCalls> {
  const { database, keys, elsewhere } = services
  const view = (user: UserRow) => ({ ...rowView(user), ...accountState(services, user.id) })
  return {
    ...workerHandlers(services),
    async adminUsers() {
      const users = await listUsers(database.db)
      if (elsewhere === undefined) return users.map(view)
      const states = await elsewhere.states.of(users.map(({ id }) => id))
      return users.map((user) => ({ ...rowView(user), ...(states.get(user.id) ?? NOT_KNOWN) }))
    },
    async adminUser({ userId }) {
      const user = await findUser(database.db, userId)
      if (!user) throw new Refused('NOT_FOUND', NO_SUCH_USER)
      return view(user)
    },
    async setMayAdd({ userId, body, note }) {
      const user = await setMayAddStocks(database.db, userId, body.mayAddStocks)
      if (!user) throw new Refused('NOT_FOUND', NO_SUCH_USER)
      note(body.mayAddStocks ? '켬' : '끔')
      const state =
        elsewhere === undefined ? accountState(services, userId) : (await elsewhere.states.of([userId])).get(userId)
      return { ...rowView(user), ...(state ?? NOT_KNOWN) }
    },
    createUserKey: (given) => createUserKey(services, given),
    async deleteUserKey({ userId }) {
      await keys.remove(userId)
      return {}
    },
  }
}

const NO_SUCH_USER = '그런 사용자가 없습니다. 사용자 목록에서 다시 골라 주세요.'
const NOT_KNOWN = { userKey: null, socket: null, summary: null, morning: null } as const

const rowView = (user: UserRow) => ({ userId: user.id, email: user.email, mayAddStocks: mayAddStocks(user) })

/** Of an account of this process. One that could not be loaded is no reason to show none. */
export function accountState(
  { keys, accounts, balances }: Pick<Services, 'keys' | 'accounts' | 'balances'>,
  userId: string,
): AccountState {
  const userKey = keys.has(userId)
  if (!accounts.has(userId)) return { userKey, socket: false, summary: null, morning: null }
  return {
    userKey,
    socket: accounts.socket(userId).connected,
    summary: summaryView(accounts, userId, balances.lastDeposit(userId)),
    morning: morningSummary(accounts.morning(userId), idleOf(accounts, userId)),
  }
}

/** Opens a user's key with the password of the administrator who asks. `email` is that user's or the administrator's own. */
async function createUserKey(services: Services, { userId, caller, body, request, note }: Given<'createUserKey'>) {
  const { database, vault } = services
  const user = await findUser(database.db, userId)
  if (!user || (body.email !== user.email && body.email !== caller.email)) {
    throw refuse('INVALID', '이 사용자의 이메일이 아닙니다. 이 사용자나 관리자 자신의 이메일을 넣어 주세요.')
  }
  const { email } = caller
  const again = { userId: caller.userId, email, password: body.password, address: request.ip }
  const admin = await checkAgain(services, caller, again)
  if (!admin) throw refuse('INVALID', '관리자 비밀번호가 맞지 않습니다. 다시 입력해 주세요.')
  await needSecondProof(services, caller)
  await vault.prepareAdmin(admin.id, body.password)
  const opened = await vault.openByAdmin(userId, admin.id, body.password)
  if (!opened) {
    throw refuse('CONFLICT', `${user.email} 님이 한 번 로그인해야 이 관리자가 키를 열 수 있습니다.`)
  }
  const trouble = await connectBroker(services, { userId, newLogin: body.forceKisLogin, log: request.log })
  if (trouble === null) return { connected: true, message: '사용자 키를 열고 증권사에 연결했습니다.' }
  const message = `사용자 키는 열었지만 증권사 연결은 확인하지 못했습니다. ${trouble}`
  note(message)
  return { connected: false, message }
}

const refuse = (code: ErrorCode, message: string): Refused => new Refused(code, message)
