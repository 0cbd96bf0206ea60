import { type ApiToken, Refused } from '@digger/contract'
import { kstIso } from '@digger/core'
import type { Given, Handlers } from '@digger/http'
import type { StoredToken } from '@digger/identity'
import type { Services } from '../services.ts'
import { reportAccess } from './note.ts'
import { needProof } from './prove.ts'

type TokenCalls = 'apiTokens' | 'makeApiToken' | 'revokeApiToken'

export function tokenHandlers(services: Services): Pick<Handlers, TokenCalls> {
  const { apiTokens } = services
  const list = async (userId: string) => (await apiTokens.list(userId)).map(tokenView)
  return {
    apiTokens: ({ userId }) => list(userId),
    makeApiToken: (given) => makeToken(services, given),
    async revokeApiToken({ userId, params, note }) {
      const name = await apiTokens.revoke(userId, params.tokenId)
      if (name === null) throw new Refused('NOT_FOUND', NO_SUCH_TOKEN)
      note(name)
      return list(userId)
    },
  }
}

async function makeToken(services: Services, { userId, caller, body, note, request }: Given<'makeApiToken'>) {
  // An administrator may see and revoke it; the secret belongs to the account's own person.
  if (caller.userId !== userId) throw new Refused('FORBIDDEN', NOT_YOURS)
  await needProof(services, caller)
  const { secret, token } = await services.apiTokens.make(userId, body)
  note(`${token.name} ${token.scope} ${body.days}일`)
  await reportAccess(services, { userId, log: request.log }, `API 토큰을 만들었습니다(${token.name}).`)
  return { secret, token: tokenView(token) }
}

const tokenView = ({ id, name, scope, created_at, expires_at, used_at, used_from }: StoredToken): ApiToken => ({
  id,
  name,
  scope,
  createdAt: kstIso(created_at),
  expiresAt: kstIso(expires_at),
  usedAt: used_at === null ? null : kstIso(used_at),
  usedFrom: used_from,
})

const NOT_YOURS = 'API 토큰은 이 계좌의 주인만 만들 수 있습니다. 주인에게 API 토큰 화면에서 만들라고 알려 주세요.'
const NO_SUCH_TOKEN = '그런 토큰이 없습니다. 이미 없앤 것입니다. 목록을 새로 고쳐 주세요.'
