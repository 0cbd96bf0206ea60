import type { Bar } from './bar.ts'

/** First byte of what is packed, so that another way of packing can be told apart later. */
const VERSION = 1
/** Seven bits a byte, the eighth says that another follows. */
const MORE = 128

/**
 * Packs bars, oldest first: each number as its difference from the one it is near to, in as few bytes as it needs. A day takes some 13
 * bytes, a minute some 10.
 */
export function pack(bars: readonly Bar[]): Buffer {
  const bytes: number[] = [VERSION]
  const put = (value: number): void => {
    if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`a candle cannot have ${value}`)
    let rest = value
    for (; rest >= MORE; rest = Math.floor(rest / MORE)) bytes.push((rest % MORE) + MORE)
    bytes.push(rest)
  }
  const putSigned = (value: number): void => put(value < 0 ? -2 * value - 1 : 2 * value)
  put(bars.length)
  let before = { at: 0, close: 0 }
  for (const bar of bars) {
    const { at, open, high, low, close, volume, traded } = bar
    put(at - before.at)
    putSigned(open - before.close)
    putSigned(close - open)
    putSigned(high - Math.max(open, close))
    putSigned(Math.min(open, close) - low)
    put(volume)
    putSigned(traded - close)
    before = bar
  }
  return Buffer.from(bytes)
}

/** The other way round. Throws RangeError where it is not what `pack` makes. */
export function unpack(bytes: Uint8Array): Bar[] {
  let place = 0
  const take = (): number => {
    let value = 0
    for (let unit = 1; ; unit *= MORE) {
      const byte = bytes[place++]
      if (byte === undefined) throw new RangeError('kept candles end in the middle')
      value += (byte % MORE) * unit
      if (byte < MORE) return value
    }
  }
  const takeSigned = (): number => {
    const value = take()
    return value % 2 === 1 ? -(value + 1) / 2 : value / 2
  }
  if (take() !== VERSION) throw new RangeError('kept candles of a later version')
  const count = take()
  const bars: Bar[] = []
  let [at, close] = [0, 0]
  for (let n = 0; n < count; n += 1) {
    at += take()
    const open = close + takeSigned()
    close = open + takeSigned()
    const high = Math.max(open, close) + takeSigned()
    const low = Math.min(open, close) - takeSigned()
    const volume = take()
    bars.push({ at, open, high, low, close, volume, traded: close + takeSigned() })
  }
  if (place !== bytes.length) throw new RangeError('kept candles do not end where they should')
  return bars
}
