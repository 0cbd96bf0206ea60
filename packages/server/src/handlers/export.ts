import { BrokerProfit, type FileCall, paths, Problem } from '@digger/contract'
import { kstDay, yearRange } from '@digger/core'
import { inTime } from '@digger/engine'
import { type ExportFile, Exports } from '@digger/exports'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Given, type Handlers, notByToken } from '@digger/http'
import type { Services } from '../services.ts'
import { rangeOf } from './account.ts'

export function exportHandlers(services: Services): Pick<Handlers, FileCall | 'brokerProfit'> {
  const { database, clock } = services
  const exports = new Exports(database.db, clock)
  return {
    async exportTable({ caller, userId, params, query, reply }) {
      // Who logged in, and from where, is no program's business: nor is it on any page that a token reads.
      if (caller.token && params.table === 'audit') throw notByToken()
      return sent(reply, await exports.table({ person: caller.userId, userId }, params.table, query))
    },
    async exportYear({ caller, userId, params, request, reply }) {
      const askBroker = (from: string, to: string) => askHere(request, userId, from, to)
      return sent(reply, await exports.year({ person: caller.userId, userId }, params.year, askBroker))
    },
    brokerProfit: (given) => brokerProfit(services, given),
  }
}

function sent(reply: FastifyReply, { headers, body }: ExportFile): ExportFile['body'] {
  reply.headers(headers)
  return body
}

/**
 * By the call itself, as if the browser had made it: a gateway sends it to whoever has the account. Resolves to the sentence of a
 * refusal.
 */
async function askHere({ server, headers, ip }: FastifyRequest, userId: string, from: string, to: string) {
  const [method, path] = paths.brokerProfit
  const url = `${path.replace('{userId}', userId)}?fromDate=${from}&toDate=${to}`
  const shown = { cookie: headers.cookie ?? '', authorization: headers.authorization ?? '' }
  const answer = await server.inject({ method, url, headers: shown, remoteAddress: ip })
  const body: unknown = answer.json()
  return answer.statusCode === 200 ? BrokerProfit.parse(body) : Problem.parse(body).message
}

/** This year where no days are named. Side effects: the broker is called. */
async function brokerProfit({ accounts, clock, wall }: Services, { userId, query }: Given<'brokerProfit'>) {
  const { from, to } = rangeOf(query, yearRange(kstDay(clock.now())))
  const kis = accounts.kis(userId)
  const asked = Promise.all([kis.periodProfit(from, to), kis.periodTradeProfit(from, to)])
  const [{ days }, sales] = await inTime(wall, asked)
  return {
    days: days.map(({ day: date, ...amounts }) => ({ date, ...amounts })),
    sales: sales.map(({ day: date, ...sale }) => ({ date, ...sale })),
  }
}
