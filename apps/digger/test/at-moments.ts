import fs from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { Client } from 'pg'

/** Called with each statement before it leaves; the returned function, if any, once it is on its way. */
type Look = (text: string) => (() => void) | undefined

// Its `this` is whatever client it is called on: the proxy hands that through.
const ask: Client['query'] = Reflect.get(Client.prototype, 'query')

/** Looks at all statements of this process from now on. Returns the way to end it. */
export function lookAtStatements(look: Look): () => void {
  Client.prototype.query = new Proxy(ask, {
    apply(target, client, [query, ...rest]: unknown[]) {
      const left = look(textOf(query))
      const answer: unknown = Reflect.apply(target, client, [query, ...rest])
      left?.()
      return answer
    },
  })
  return () => {
    Client.prototype.query = ask
  }
}

/** From the last of these statements on, found one after the other, none of this process reaches a database. Returns the way to end that. */
export function cutAt(...moments: readonly RegExp[]): () => void {
  const waiting = [...moments]
  Client.prototype.query = new Proxy(ask, {
    apply(target, client, [query, ...rest]: unknown[]) {
      if (waiting[0]?.test(textOf(query)) === true) waiting.shift()
      if (waiting.length > 0) return Reflect.apply(target, client, [query, ...rest])
      const error = new Error('the line is cut')
      const answer = rest.at(-1)
      if (typeof answer !== 'function') return Promise.reject(error)
      queueMicrotask(() => void Reflect.apply(answer, undefined, [error]))
    },
  })
  return () => {
    Client.prototype.query = ask
  }
}

function textOf(query: unknown): string {
  const text = typeof query === 'object' && query !== null && 'text' in query ? query.text : query
  return typeof text === 'string' ? text.replaceAll(/\s+/g, ' ').trim() : ''
}

/** Looks at what is renamed, before it is and afterwards. Returns the way to end it. */
export function lookAtRenames(look: (text: string) => void): () => void {
  const { rename } = fs
  fs.rename = async (from, to) => {
    look(`before ${String(from)}`)
    await rename(from, to)
    look(`after ${String(from)}`)
  }
  syncBuiltinESMExports()
  return () => {
    fs.rename = rename
    syncBuiltinESMExports()
  }
}
