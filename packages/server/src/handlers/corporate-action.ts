import { Refused } from '@digger/contract'
import { type BaseMove, won } from '@digger/core'
import { inTime } from '@digger/engine'
import type { Handlers } from '@digger/http'
import type { Services } from '../services.ts'
import { adjustmentView, stockView } from '@digger/screens'
import { stockOf } from './stock-of.ts'

export type CorporateActionCalls = 'adjustment' | 'adjustStock' | 'giveUpExpected'

/** What becomes of a stock that is frozen because its base price moved. */
export function corporateActionHandlers(services: Services): Pick<Handlers, CorporateActionCalls> {
  const { accounts, balances, keys, wall } = services
  const known = (userId: string, code: string) => stockOf(accounts.book(userId), code)
  return {
    /** Side effects: the broker is called where its last reading is old, and today's money entry written. */
    async adjustment({ userId, params: { code } }) {
      moveOf(known(userId, code).frozen)
      const { holdings } = await inTime(wall, balances.read(userId))
      // A reading takes a while: meanwhile somebody may have settled it, or sold.
      const stock = known(userId, code)
      const held = holdings.find((holding) => holding.code === code)?.count ?? 0
      const move = moveOf(stock.frozen)
      return adjustmentView(stock, move, { held, announced: accounts.announcedOn(code, move.day) })
    },
    async adjustStock({ userId, params: { code }, body: { day, how, base, held, version }, note, key }) {
      const { frozen } = known(userId, code)
      const move = frozen === null ? '' : ` (기준가 ${frozen.close}→${frozen.base})`
      note(`${day} ${how === 'adjust' ? '조정' : '그대로 두기'}${move}`)
      if (how === 'keep') await accounts.ask(userId, { kind: 'keepStock', code, day, base }, key)
      else {
        if (key === undefined || !accounts.hasDone(userId, key.key)) await keys.need(userId)
        if (held === undefined) throw new Refused('INVALID', '미리 본 증권사의 수량(held)을 함께 보내 주세요.')
        await accounts.ask(userId, { kind: 'adjustStock', code, day, base, version, held }, key)
      }
      return stockView(accounts, userId, known(userId, code), { withSavedGain: true })
    },
    async giveUpExpected({ userId, params: { code }, body: { trades, cost, ...seen }, note, key }) {
      known(userId, code)
      const outcome = trades > 0 ? `매매 ${trades}건의 원가로` : '손실로'
      note(`받을 주식 ${seen.count}주 기다리지 않기: ${won(seen.amount)}은 ${outcome}`)
      await accounts.ask(userId, { kind: 'giveUpExpected', code, seen, lots: trades, cost }, key)
      return stockView(accounts, userId, known(userId, code), { withSavedGain: true })
    },
  }
}

function moveOf(frozen: BaseMove | null): BaseMove {
  if (frozen === null) throw new Refused('CONFLICT', '조정할 것이 없습니다. 화면을 새로 고쳐 주세요.')
  return frozen
}
