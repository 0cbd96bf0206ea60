import { createHash, randomBytes } from 'node:crypto'
import { fstatSync, openSync, closeSync, readFileSync, writeFileSync } from 'node:fs'
import { OperatorError } from '@digger/database'

const KEY_BYTES = 32
/** 32 random bytes have about 30 different ones; fewer than 8 come from a hand or a broken generator. */
const MIN_DIFFERENT_BYTES = 8
const HEX = /^[0-9a-f]{64}$/i
/** What `openssl rand -base64 32` writes: nothing else is in it, and there is one text per key. */
const BASE64 = /^[A-Za-z0-9+/]{43}=$/
/** Others may not read it, nor the group write it. A group may read: so do containers hand out their secrets (440). */
const TOO_OPEN = 0o027

export interface MasterKey {
  readonly key: Buffer
  /** Tells one master key from another without saying anything about it. */
  readonly mark: string
}

/** Reads MASTER_KEY_FILE: 32 random bytes as base64 or hex (`openssl rand -base64 32`). Null when none is configured. */
export function readMasterKey(path: string | undefined): MasterKey | null {
  if (path === undefined) return null
  const key = keyFrom(textOf(path))
  if (key === null) {
    throw new OperatorError(
      `MASTER_KEY_FILE=${path}에는 32바이트를 base64나 16진수로 적어야 합니다(openssl rand -base64 32).`,
    )
  }
  if (new Set(key).size < MIN_DIFFERENT_BYTES) {
    throw new OperatorError(
      `MASTER_KEY_FILE=${path}의 키는 무작위가 아니라 누구나 맞힐 수 있습니다. npm run admin -- make-master로 새로 만들어 주세요.`,
    )
  }
  return { key, mark: createHash('sha256').update('digger master').update(key).digest('hex').slice(0, 16) }
}

/** A new key in a new file, which only this user can read. Throws OperatorError when there is such a file. */
export function makeMasterKey(path: string): void {
  try {
    writeFileSync(path, `${randomBytes(KEY_BYTES).toString('base64')}\n`, { flag: 'wx', mode: 0o600 })
  } catch (error) {
    throw new OperatorError(`${path} 파일을 만들지 못했습니다: ${why(error)}`, { cause: error })
  }
}

function keyFrom(text: string): Buffer | null {
  if (HEX.test(text)) return Buffer.from(text, 'hex')
  const key = Buffer.from(text, 'base64')
  return BASE64.test(text) && key.toString('base64') === text ? key : null
}

function textOf(path: string): string {
  let file: number | null = null
  try {
    // One handle for both checking and reading, so that nobody exchanges the file between.
    file = openSync(path, 'r')
    assertPrivate(path, file)
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    if (error instanceof OperatorError) throw error
    throw new OperatorError(`MASTER_KEY_FILE=${path} 파일을 읽지 못했습니다: ${why(error)}`, { cause: error })
  } finally {
    if (file !== null) closeSync(file)
  }
}

function assertPrivate(path: string, file: number): void {
  // Windows has no such bits.
  if (process.platform === 'win32') return
  const { mode, uid } = fstatSync(file)
  const me = process.getuid?.()
  if (me !== 0 && uid !== 0 && uid !== me) {
    throw new OperatorError(
      `MASTER_KEY_FILE=${path}의 주인이 서버를 켠 사용자가 아닙니다. chown으로 바꾼 뒤 다시 켜 주세요.`,
    )
  }
  if ((mode & TOO_OPEN) !== 0) {
    throw new OperatorError(
      `MASTER_KEY_FILE=${path}을 다른 사용자가 읽거나 바꿀 수 있습니다(${(mode & 0o777).toString(8)}). chmod 600 ${path} 한 뒤 다시 켜 주세요.`,
    )
  }
}

const why = (error: unknown): string => (error instanceof Error ? error.message : String(error))
