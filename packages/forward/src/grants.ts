import { randomUUID } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Granted } from './granted.ts'

const HEADER = 'x-digger-forwarded'

/** Good for this call of the contract alone. */
export interface ForwardedGrant extends Granted {
  readonly name: string
}

/**
 * What a gateway granted, for a call that is under way in this process: it names its grant by a number that only this process
 * knows, and uses it up. A request from outside can name none.
 */
export class ForwardedGrants {
  readonly #granted = new Map<string, ForwardedGrant>()

  /** Returns the header that the request inside this process carries. */
  give(granted: ForwardedGrant): Readonly<Record<string, string>> {
    const id = randomUUID()
    this.#granted.set(id, granted)
    return { [HEADER]: id }
  }

  take(request: FastifyRequest): ForwardedGrant | null {
    const id = request.headers[HEADER]
    if (typeof id !== 'string') return null
    const granted = this.#granted.get(id) ?? null
    this.#granted.delete(id)
    return granted
  }

  /** The call is over, whether or not it came to what takes it. */
  end(headers: Readonly<Record<string, string>>): void {
    this.#granted.delete(headers[HEADER] ?? '')
  }
}
