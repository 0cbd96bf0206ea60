/** Decrypts what a browser would; the package brings no types. */
declare module 'http_ece' {
  import type { ECDH } from 'node:crypto'

  interface DecryptParams {
    readonly version: 'aes128gcm'
    readonly privateKey: ECDH
    /** Base64url. */
    readonly authSecret: string
  }
  export function decrypt(data: Buffer, params: DecryptParams): Buffer
}
