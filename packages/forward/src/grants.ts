import { randomUUID } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Granted } from './granted.ts'

const HEADER = 'x-digger-forwarded'

/**
 * What a gateway granted, for a call that is under way in this process: it names its grant by a number that only this process
 * knows, and uses it up. A request from outside can name none.
 */
export class ForwardedGrants {
  readonly #granted = new Map<string, Granted>()

  /** Returns the header that the request inside this process carries. */
  give(granted: Granted): Readonly<Record<string, string>> {
    const id = randomUUID()
    this.#granted.set(id, granted)
    return { [HEADER]: id }
  }

  take(request: FastifyRequest): Granted | null {
    const id = request.headers[HEADER]
    if (typeof id !== 'string') return null
    const granted = this.#granted.get(id) ?? null
    this.#granted.delete(id)
    return granted
  }
}
