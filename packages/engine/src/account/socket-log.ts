import type { Book } from '@digger/core'
import type { KisSocket } from '@digger/kis'
import type { SocketStatus } from '../accounts.ts'

/** When the socket of one account last did what, epoch ms of the market: for people. */
export class SocketLog {
  #connectedAt: number | null = null
  #disconnectedAt: number | null = null
  #orderedAt: number | null = null
  #updatedAt: number | null = null
  readonly #pricedAt = new Map<string, number>()

  priced(code: string, at: number): void {
    this.#updatedAt = at
    this.#pricedAt.set(code, at)
  }

  noticed(at: number): void {
    this.#orderedAt = at
  }

  connected(at: number): void {
    this.#connectedAt = at
  }

  disconnected(at: number): void {
    this.#disconnectedAt = at
  }

  /** `socket`: null where the key is absent. */
  status(socket: KisSocket | null, { stocks }: Book): SocketStatus {
    const watched = socket?.watched ?? new Set<string>()
    return {
      connected: socket?.state === 'connected',
      connectedAt: this.#connectedAt,
      orderedAt: this.#orderedAt,
      disconnectedAt: this.#disconnectedAt,
      updatedAt: this.#updatedAt,
      stocks: [...watched].sort().map((code) => ({
        code,
        name: stocks.get(code)?.name ?? code,
        updatedAt: this.#pricedAt.get(code) ?? null,
      })),
    }
  }
}
