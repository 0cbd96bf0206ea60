import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs'
import { OperatorError } from './errors.ts'

/** 32 random bytes have about 30 different ones; fewer than 8 come from a hand or a broken generator. */
const MIN_DIFFERENT_BYTES = 8
const HEX = /^[0-9a-f]{64}$/i
/** What `openssl rand -base64 32` writes: nothing else is in it, and there is one text per key. */
const BASE64 = /^[A-Za-z0-9+/]{43}=$/
/** Others may not read it, nor the group write it. A group may read: so do containers hand out their secrets (440). */
const TOO_OPEN = 0o027

/**
 * Reads the file that a setting names: 32 random bytes as base64 or hex (`openssl rand -base64 32`). Throws OperatorError where it
 * cannot be read, others can read it, or anybody could guess what is in it.
 */
export function readSecretFile(setting: string, path: string): Buffer {
  const named = `${setting}=${path}`
  const key = keyFrom(textOf(named, path))
  if (key === null) {
    throw new OperatorError(`${named}에는 32바이트를 base64나 16진수로 적어야 합니다(openssl rand -base64 32).`)
  }
  if (new Set(key).size < MIN_DIFFERENT_BYTES) {
    throw new OperatorError(
      `${named}의 키는 무작위가 아니라 누구나 맞힐 수 있습니다. npm run admin -- make-master로 새로 만들어 주세요.`,
    )
  }
  return key
}

function keyFrom(text: string): Buffer | null {
  if (HEX.test(text)) return Buffer.from(text, 'hex')
  const key = Buffer.from(text, 'base64')
  return BASE64.test(text) && key.toString('base64') === text ? key : null
}

function textOf(named: string, path: string): string {
  let file: number | null = null
  try {
    // One handle for both checking and reading, so that nobody exchanges the file between.
    file = openSync(path, 'r')
    assertPrivate(named, path, file)
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    if (error instanceof OperatorError) throw error
    const why = error instanceof Error ? error.message : String(error)
    throw new OperatorError(`${named} 파일을 읽지 못했습니다: ${why}`, { cause: error })
  } finally {
    if (file !== null) closeSync(file)
  }
}

function assertPrivate(named: string, path: string, file: number): void {
  // Windows has no such bits.
  if (process.platform === 'win32') return
  const { mode, uid } = fstatSync(file)
  const me = process.getuid?.()
  if (me !== 0 && uid !== 0 && uid !== me) {
    throw new OperatorError(`${named}의 주인이 서버를 켠 사용자가 아닙니다. chown으로 바꾼 뒤 다시 켜 주세요.`)
  }
  if ((mode & TOO_OPEN) !== 0) {
    throw new OperatorError(
      `${named}을 다른 사용자가 읽거나 바꿀 수 있습니다(${(mode & 0o777).toString(8)}). chmod 600 ${path} 한 뒤 다시 켜 주세요.`,
    )
  }
}
