import type { Handlers } from '@digger/http'
import type { Services } from '../services.ts'
import { stockView } from '@digger/screens'
import { stockOf } from './stock-of.ts'

export type OwnSharesCalls = 'keepShares' | 'releaseTrades'

/** Which shares at the broker are the person's own, and which of those taken over Digger may sell. */
export function ownSharesHandlers({ accounts }: Services): Pick<Handlers, OwnSharesCalls> {
  return {
    async keepShares({ userId, params: { code }, body: { count }, note, key }) {
      note(`${stockOf(accounts.book(userId), code).kept}주→${count}주`)
      await accounts.ask(userId, { kind: 'keepShares', code, count }, key)
      return stockView(accounts, userId, stockOf(accounts.book(userId), code), { withSavedGain: true })
    },
    async releaseTrades({ userId, params: { code }, body: { tradeIds }, note, key }) {
      stockOf(accounts.book(userId), code)
      note(`매매 ${tradeIds.join(', ')}`)
      await accounts.ask(userId, { kind: 'releaseLots', code, lotIds: tradeIds }, key)
      return {}
    },
  }
}
