import type { Book } from '@digger/core'
import type { Clock } from '@digger/database'
import type { KisSocket, Tick } from '@digger/kis'
import type { SocketStatus } from '../accounts.ts'

/** When the socket of one account last did what, epoch ms of the market: for people. */
export class SocketLog {
  #connectedAt: number | null = null
  #disconnectedAt: number | null = null
  #orderedAt: number | null = null
  #updatedAt: number | null = null
  readonly #pricedAt = new Map<string, number>()
  readonly #clock: Clock

  constructor(clock: Clock) {
    this.#clock = clock
  }

  readonly priced = ({ code }: Pick<Tick, 'code'>): void => {
    this.#updatedAt = this.#clock.now()
    this.#pricedAt.set(code, this.#updatedAt)
  }

  noticed(): void {
    this.#orderedAt = this.#clock.now()
  }

  connected(): void {
    this.#connectedAt = this.#clock.now()
  }

  disconnected(): void {
    this.#disconnectedAt = this.#clock.now()
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
