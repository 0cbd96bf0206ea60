import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { ConfigError } from '../config.ts'

const KEY_BYTES = 32

export interface MasterKey {
  readonly key: Buffer
  /** Tells one master key from another without saying anything about it. */
  readonly mark: string
}

/** Reads MASTER_KEY_FILE: 32 random bytes as base64 or hex (`openssl rand -base64 32`). Null when none is configured. */
export function readMasterKey(path: string | undefined): MasterKey | null {
  if (path === undefined) return null
  const text = textOf(path)
  const key = /^[0-9a-f]{64}$/i.test(text) ? Buffer.from(text, 'hex') : Buffer.from(text, 'base64')
  if (key.length !== KEY_BYTES) {
    throw new ConfigError(
      `MASTER_KEY_FILE=${path}에는 32바이트를 base64나 16진수로 적어야 합니다(openssl rand -base64 32).`,
    )
  }
  return { key, mark: createHash('sha256').update('digger master').update(key).digest('hex').slice(0, 16) }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new ConfigError(`MASTER_KEY_FILE=${path} 파일을 읽지 못했습니다: ${why}`, { cause: error })
  }
}
