/** A head and a body of bytes as one message: the head's length in four bytes, the head as JSON, the body. */
export function pack(head: object, body: Uint8Array): Buffer {
  const text = Buffer.from(JSON.stringify(head))
  const length = Buffer.alloc(4)
  length.writeUInt32BE(text.length)
  return Buffer.concat([length, text, body])
}

export function unpack(message: Uint8Array): { readonly head: unknown; readonly body: Buffer } {
  const bytes = Buffer.from(message.buffer, message.byteOffset, message.byteLength)
  const end = 4 + bytes.readUInt32BE(0)
  const head: unknown = JSON.parse(bytes.toString('utf8', 4, end))
  return { head, body: bytes.subarray(end) }
}
