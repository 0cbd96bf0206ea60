import type { Input, PasskeyOptions } from '@digger/contract'
import {
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
  WebAuthnError,
} from '@simplewebauthn/browser'

type Body = Input<'passkeyLogin'>['body']
export type PasskeyProof = Pick<Body, 'passkey' | 'prf'>
export type NewPasskey = Pick<Input<'addPasskey'>['body'], 'passkey' | 'prf'>

/** What every passkey of this site derives its secret from (WebAuthn's PRF); it is no secret itself. */
const SALT = new TextEncoder().encode('digger data key, form 1')
const WITH_PRF = { extensions: { prf: { eval: { first: SALT } } } }

/** Why there is no passkey now, as a sentence; null: its person closed the browser's dialog, which needs none. */
export function passkeyTrouble(error: unknown): string | null {
  if (!('PublicKeyCredential' in window)) return NOT_HERE
  const name = error instanceof Error ? error.name : ''
  if (error instanceof WebAuthnError && error.code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED')
    return '이 기기의 패스키는 이미 더했습니다.'
  if (name === 'SecurityError') return NOT_HERE
  return name === 'NotAllowedError' || name === 'AbortError'
    ? null
    : '패스키를 쓰지 못했습니다. 다른 방법으로 해 주세요.'
}

const NOT_HERE = '이 주소나 브라우저에서는 패스키를 쓸 수 없습니다. Digger의 정식 주소(https)로 들어와 주세요.'

/** Asks the browser for a passkey; rejects when there is none. */
export async function showPasskey(options: PasskeyOptions): Promise<PasskeyProof> {
  const { clientExtensionResults, ...answer } = await startAuthentication({
    optionsJSON: asRequest({ ...options, ...WITH_PRF }),
  })
  return { passkey: { ...answer, clientExtensionResults: {} }, ...prfIn(clientExtensionResults) }
}

/** Makes a passkey; rejects when none was made. `derives`: it can derive a secret, though it may give it only when it is used. */
export async function makePasskey(options: PasskeyOptions): Promise<NewPasskey & { derives: boolean }> {
  const { clientExtensionResults, ...answer } = await startRegistration({
    optionsJSON: asCreation({ ...options, ...WITH_PRF }),
  })
  const prf = 'prf' in clientExtensionResults ? clientExtensionResults.prf : undefined
  const derives = typeof prf === 'object' && prf !== null && 'enabled' in prf && prf.enabled
  return { passkey: { ...answer, clientExtensionResults: {} }, ...prfIn(clientExtensionResults), derives }
}

/** The server makes them of WebAuthn's own form; the contract passes them on unread. */
function asRequest(options: PasskeyOptions): PublicKeyCredentialRequestOptionsJSON
function asRequest(options: unknown): unknown {
  return options
}
function asCreation(options: PasskeyOptions): PublicKeyCredentialCreationOptionsJSON
function asCreation(options: unknown): unknown {
  return options
}

interface Extensions {
  prf?: { results?: { first?: unknown } }
}

/** What the passkey has derived, where it can and did. */
function prfIn({ prf }: Extensions): { prf?: string } {
  const first = prf?.results?.first
  const bytes = first instanceof ArrayBuffer ? new Uint8Array(first) : first instanceof Uint8Array ? first : null
  return bytes === null ? {} : { prf: base64url(bytes) }
}

const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
