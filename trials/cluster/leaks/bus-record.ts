/** One message of the bus. */
export interface Recorded {
  readonly subject: Buffer
  readonly data: Buffer
}

const LENGTH_BYTES = 4
const HEAD_BYTES = 2 * LENGTH_BYTES

/** A message as it stands in the record: both lengths, subject, data. */
export function recordedBytes(subject: string, data: Uint8Array): Buffer {
  const name = Buffer.from(subject)
  const head = Buffer.alloc(HEAD_BYTES)
  head.writeUInt32BE(name.length, 0)
  head.writeUInt32BE(data.length, LENGTH_BYTES)
  return Buffer.concat([head, name, data])
}

/** The messages one by one; no more is kept than the one that is being read. Throws where the record breaks off. */
export async function* readRecord(record: AsyncIterable<Buffer>): AsyncGenerator<Recorded> {
  let left: Buffer = Buffer.alloc(0)
  for await (const chunk of record) {
    left = left.length === 0 ? chunk : Buffer.concat([left, chunk])
    for (let size = sizeOf(left); size !== null && left.length >= size; size = sizeOf(left)) {
      const end = HEAD_BYTES + left.readUInt32BE(0)
      yield { subject: left.subarray(HEAD_BYTES, end), data: left.subarray(end, size) }
      left = left.subarray(size)
    }
  }
  if (left.length > 0) throw new Error('the record of the bus breaks off')
}

const sizeOf = (left: Buffer): number | null =>
  left.length < HEAD_BYTES ? null : HEAD_BYTES + left.readUInt32BE(0) + left.readUInt32BE(LENGTH_BYTES)
