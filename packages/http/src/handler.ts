import type { Readable } from 'node:stream'
import type { CallName, Calls, FileCall, Reply } from '@digger/contract'
import type { ExportFile } from '@digger/exports'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { CommandKey } from '@digger/engine'
import type { Session } from '@digger/identity'

type Part<N extends CallName, K extends 'params' | 'query' | 'body'> =
  Calls[N] extends Record<K, infer S extends z.ZodType> ? z.output<S> : undefined

export interface Inputs<N extends CallName> {
  readonly params: Part<N, 'params'>
  readonly query: Part<N, 'query'>
  readonly body: Part<N, 'body'>
}

/** What a handler gets: checked input, who asks, and whose account it is about. */
export interface Given<N extends CallName> extends Inputs<N> {
  readonly caller: Calls[N]['access'] extends 'anyone' ? Session | null : Session
  /** Owner of the account asked about: `user` in a path is resolved and access is settled. Empty without one. */
  readonly userId: string
  /** What the call is known by, so that it is done once. */
  readonly key: CommandKey | undefined
  /** Goes into the audit line of this call. */
  readonly note: (detail: string) => void
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

/** A file goes out as it is, and what is long in pieces of the reply's JSON. */
type Answer<N extends CallName> = N extends FileCall ? ExportFile['body'] : Reply<N> | LongReply<N>
type LongReply<N extends CallName> = N extends 'stockHistory' ? Readable : never

export type Handler<N extends CallName> = (given: Given<N>) => Answer<N> | Promise<Answer<N>>

/** The stream writes by itself and is bound apart; every other call of the contract has exactly one handler. */
export type PlainCall = Exclude<CallName, 'events'>
export type Handlers = { readonly [N in PlainCall]: Handler<N> }
