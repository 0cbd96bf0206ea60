const ERROR_RESPONSE = 'E'.charCodeAt(0)
/** Type byte and length, before the body. */
const HEAD_BYTES = 5

/**
 * What a server of its own would end and recover from, the engine inside a process survives half broken: refused writes
 * (53100 disk full, 58030 i/o error) leave its log in pieces, and after an internal error (XX…) nothing it says is certain.
 */
const DISK = new Set(['53100', '58030'])
const INSIDE = new Set(['XX000', 'XX001', 'XX002'])

/** Looks for such an error in an answer of the wire protocol. */
export function brokenBy(reply: Uint8Array): 'disk' | 'inside' | null {
  const view = new DataView(reply.buffer, reply.byteOffset, reply.byteLength)
  for (let at = 0; at + HEAD_BYTES <= reply.length; at += 1 + view.getUint32(at + 1)) {
    if (reply[at] !== ERROR_RESPONSE) continue
    const body = Buffer.from(reply.buffer, reply.byteOffset + at + HEAD_BYTES, view.getUint32(at + 1) - 4)
    const fields = body.toString('utf8').split('\0')
    const code = fields.find((field) => field.startsWith('C'))?.slice(1) ?? ''
    if (DISK.has(code)) return 'disk'
    // V: the severity, never translated.
    if (INSIDE.has(code) || fields.includes('VPANIC') || fields.includes('VFATAL')) return 'inside'
  }
  return null
}
