import { createHash, randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { OperatorError, readSecretFile } from '@digger/database'
import { seal, unseal } from './seal.ts'

const KEY_BYTES = 32

/** The operator's key that wraps users' keys: in a file here, behind a key service elsewhere. */
export interface MasterKey {
  /** Tells one master key from another without saying anything about it. */
  readonly mark: string
  wrap(key: Buffer, label: string): Promise<Buffer>
  /** Throws SealError when the wrap was changed or belongs elsewhere. */
  unwrap(wrapped: Buffer, label: string): Promise<Buffer>
}

/** Reads MASTER_KEY_FILE: 32 random bytes as base64 or hex (`openssl rand -base64 32`). Null when none is configured. */
export function readMasterKey(path: string | undefined): MasterKey | null {
  if (path === undefined) return null
  const key = readSecretFile('MASTER_KEY_FILE', path)
  return {
    mark: createHash('sha256').update('digger master').update(key).digest('hex').slice(0, 16),
    wrap: async (secret, label) => seal(key, secret, label),
    unwrap: async (wrapped, label) => unseal(key, wrapped, label),
  }
}

/** A new key in a new file, which only this user can read. Throws OperatorError when there is such a file. */
export function makeMasterKey(path: string): void {
  try {
    writeFileSync(path, `${randomBytes(KEY_BYTES).toString('base64')}\n`, { flag: 'wx', mode: 0o600 })
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new OperatorError(`${path} 파일을 만들지 못했습니다: ${why}`, { cause: error })
  }
}
