import type { Writable } from 'node:stream'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import * as ws from 'ws'
import { PlainFrames } from './plain-frames.ts'

/** What the library reads a socket with; its types keep it to themselves. */
const Receiver: new (options: { skipUTF8Validation: boolean; maxPayload: number }) => Writable = Reflect.get(
  ws,
  'Receiver',
)

interface Frame {
  readonly first: number
  readonly payload: Buffer
}
const text = (payload: string | Buffer): Frame => ({ first: 0x81, payload: Buffer.from(payload) })
const [PING, PONG, CLOSE, FRAGMENT, MIDDLE, LAST, BINARY] = [0x89, 0x8a, 0x88, 0x01, 0x00, 0x80, 0x82]

/** As a server writes it: without a mask. */
function onTheWire({ first, payload }: Frame): Buffer {
  const { length } = payload
  const head = Buffer.alloc(length < 126 ? 2 : length < 65_536 ? 4 : 10)
  head[0] = first
  head[1] = length < 126 ? length : length < 65_536 ? 126 : 127
  if (head.length === 4) head.writeUInt16BE(length, 2)
  if (head.length === 10) head.writeBigUInt64BE(BigInt(length), 2)
  return Buffer.concat([head, payload])
}

/** What was reported of a connection, in order; `whole` is how many messages did not go through the library. */
class Listener {
  readonly reported: string[] = []
  whole = 0
  readonly #receiver = new Receiver({ skipUTF8Validation: true, maxPayload: 100_000 })

  constructor() {
    const report = (kind: string) => (data: Buffer | number) =>
      void this.reported.push(`${kind} ${typeof data === 'number' ? data : data.toString('latin1')}`)
    for (const kind of ['message', 'ping', 'pong', 'conclude']) this.#receiver.on(kind, report(kind))
    this.#receiver.on('error', () => void this.reported.push('error'))
  }

  readonly library = (chunk: Buffer): void => void this.#receiver.write(chunk)

  readonly onText = (payload: Buffer): void => {
    this.whole += 1
    this.reported.push(`message ${payload.toString('latin1')}`)
  }
}

/** Cuts the bytes at these places, each a share of the whole. */
function cut(bytes: Buffer, shares: readonly number[]): Buffer[] {
  const places = [0, ...shares.map((share) => Math.floor(share * bytes.length)).toSorted((a, b) => a - b), bytes.length]
  return places.slice(1).map((end, n) => Buffer.from(bytes.subarray(places[n], end)))
}

async function read(chunks: readonly Buffer[]) {
  const [ours, theirs] = [new Listener(), new Listener()]
  const frames = new PlainFrames(ours.library, ours.onText)
  for (const chunk of chunks) {
    frames.read(chunk)
    theirs.library(chunk)
  }
  await new Promise((resolve) => setImmediate(resolve))
  return { ours, theirs }
}

const payload = fc.oneof(
  fc.integer({ min: 0, max: 300 }).map((length) => Buffer.alloc(length, 'x')),
  fc.constantFrom(125, 126, 127, 65_535, 65_536, 100_001).map((length) => Buffer.alloc(length, 'y')),
)
const short = fc.uint8Array({ maxLength: 125 }).map((bytes) => Buffer.from(bytes))
const frame: fc.Arbitrary<Frame> = fc.oneof(
  { weight: 6, arbitrary: payload.map(text) },
  { weight: 2, arbitrary: fc.record({ first: fc.constantFrom(PING, PONG), payload: short }) },
  { weight: 1, arbitrary: fc.record({ first: fc.constantFrom(FRAGMENT, MIDDLE, LAST, BINARY), payload }) },
)
const anyByte = fc.record({ first: fc.integer({ min: 0, max: 255 }), payload: short })

test('whatever comes, however it is cut: the same messages in the same order as from the library alone', async () => {
  const wire = fc.array(fc.oneof({ weight: 20, arbitrary: frame }, { weight: 1, arbitrary: anyByte }), {
    maxLength: 12,
  })
  const shares = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 20 })
  await fc.assert(
    fc.asyncProperty(wire, shares, async (sent, places) => {
      const { ours, theirs } = await read(cut(Buffer.concat(sent.map(onTheWire)), places))
      expect(ours.reported).toEqual(theirs.reported)
    }),
    { numRuns: 500 },
  )
})

test('byte by byte, too', async () => {
  const sent = [
    text('a'),
    { first: PING, payload: Buffer.from('p') },
    text('b'.repeat(200)),
    text(''),
    text('c'.repeat(126)),
  ]
  const wire = Buffer.concat(sent.map(onTheWire))
  const { ours, theirs } = await read([...wire].map((byte) => Buffer.from([byte])))
  expect(ours.reported).toEqual(theirs.reported)
  expect(ours.reported).toHaveLength(5)
})

test('messages that come whole do not go through the library, also between and after pings and one that was cut', async () => {
  const sent = [text('one'), { first: PING, payload: Buffer.from('p') }, text('two'), text('three'), text('four')]
  const wire = Buffer.concat(sent.map(onTheWire))
  const inThree = wire.length - onTheWire(text('four')).length - 2
  const { ours } = await read([wire.subarray(0, inThree), wire.subarray(inThree)])
  expect(ours.reported).toEqual(['message one', 'ping p', 'message two', 'message three', 'message four'])
  expect(ours.whole).toBe(3)
})

test('after a fragment, a mask or a close the library has the connection for good', async () => {
  const masked = Buffer.from([0x81, 0x81, 0, 0, 0, 0, 0x61])
  for (const unusual of [
    onTheWire({ first: FRAGMENT, payload: Buffer.from('x') }),
    masked,
    onTheWire({ first: CLOSE, payload: Buffer.alloc(0) }),
  ]) {
    const { ours, theirs } = await read([Buffer.concat([onTheWire(text('before')), unusual]), onTheWire(text('after'))])
    expect(ours.reported).toEqual(theirs.reported)
    expect(ours.whole).toBe(1)
  }
})
