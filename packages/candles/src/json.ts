import { Readable } from 'node:stream'
import type { StockHistory } from '@digger/contract'
import { background } from '@digger/database'

/** Values of a column written in one turn: some tenths of a ms. */
const PIECE = 4_000

/** A history as JSON, written piece by piece: a year of minutes in one go would keep everything else waiting for 30 ms. */
export const jsonStream = (history: StockHistory): Readable => Readable.from(pieces(history))

async function* pieces(history: StockHistory): AsyncGenerator<string> {
  const { days, times, open, high, low, close, volume, ...rest } = history
  yield JSON.stringify(rest).slice(0, -1)
  const columns = { days, ...(times === undefined ? {} : { times }), open, high, low, close, volume }
  for (const [name, column] of Object.entries(columns)) {
    yield `,"${name}":[`
    for (let at = 0; at < column.length; at += PIECE) {
      await background.own()
      yield (at === 0 ? '' : ',') + JSON.stringify(column.slice(at, at + PIECE)).slice(1, -1)
    }
    yield ']'
  }
  yield '}'
}
