import { Histories, jsonStream } from '@digger/candles'
import type { Handlers } from '@digger/http'
import type { Services } from '../services.ts'

type HistoryCalls = 'stockHistory' | 'historyProgress' | 'adminHistory'

/** Candles as they are kept, by the tables alone: any process answers. */
export function historyHandlers({ database, clock }: Services): Pick<Handlers, HistoryCalls> {
  const histories = new Histories(database.db, clock)
  return {
    async stockHistory({ userId, params, query, reply }) {
      const history = await histories.stock(userId, params.code, query)
      reply.type('application/json; charset=utf-8')
      return jsonStream(history)
    },
    historyProgress: ({ userId }) => histories.overview(userId),
    adminHistory: () => histories.state(),
  }
}
