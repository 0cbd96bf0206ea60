import type { Book } from '@digger/core'
import type { Board } from './board.ts'

interface Known {
  readonly book: Book
  readonly boardChanges: number
  readonly sum: number
}

/** A number per account that grows with every change of a price its book holds. Asked for often, so it is kept. */
export class PriceMarks {
  readonly #board: Board
  readonly #known = new Map<string, Known>()

  constructor(board: Board) {
    this.#board = board
  }

  of(userId: string, book: Book): number {
    const boardChanges = this.#board.changes
    const known = this.#known.get(userId)
    if (known?.book === book && known.boardChanges === boardChanges) return known.sum
    const sum = this.#board.changesOf(book.stocks.keys())
    this.#known.set(userId, { book, boardChanges, sum })
    return sum
  }
}
