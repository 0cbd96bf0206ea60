export type Encoding = 'plain' | 'base64' | 'base64url' | 'hex' | 'percent'

/** How a secret looks inside something else. */
export interface Encoded {
  readonly encoding: Encoding
  readonly bytes: Buffer
}

/** Bytes before a secret in what was encoded with it: base64 takes three at a time. */
const SHIFTS = [0, 1, 2] as const
const BYTE_BITS = 8
const BASE64_BITS = 6

/** Every way in which a secret may stand in a file or on the wire, whatever stands before and after it. */
export function encodingsOf(secret: Buffer): Encoded[] {
  const base64 = SHIFTS.map((shift) => insideBase64(secret, shift, 'base64'))
  const hex = secret.toString('hex')
  const found: [Encoding, readonly (string | Buffer)[]][] = [
    ['plain', [secret]],
    ['hex', [hex, hex.toUpperCase()]],
    ['base64', base64],
    ['base64url', SHIFTS.map((shift) => insideBase64(secret, shift, 'base64url'))],
    ['percent', [percent(secret), ...base64.map((text) => percent(Buffer.from(text)))]],
  ]
  const all = new Map<string, Encoded>()
  for (const [encoding, forms] of found)
    for (const form of forms) {
      const bytes = Buffer.from(form)
      const name = bytes.toString('latin1')
      if (!all.has(name)) all.set(name, { encoding, bytes })
    }
  return [...all.values()]
}

/** The letters that come of the secret alone, where so many bytes are encoded before it. */
function insideBase64(secret: Buffer, shift: number, encoding: 'base64' | 'base64url'): string {
  const bits = shift * BYTE_BITS
  const from = Math.ceil(bits / BASE64_BITS)
  const to = Math.floor((bits + secret.length * BYTE_BITS) / BASE64_BITS)
  return Buffer.concat([Buffer.alloc(shift), secret])
    .toString(encoding)
    .slice(from, to)
}

/** As in an address (RFC 3986). */
const percent = (bytes: Buffer): string =>
  [...bytes]
    .map((byte) => {
      const letter = String.fromCharCode(byte)
      return /[\w.~-]/.test(letter) ? letter : `%${byte.toString(16).padStart(2, '0').toUpperCase()}`
    })
    .join('')
