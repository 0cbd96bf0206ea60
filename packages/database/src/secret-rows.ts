import type { Generated } from 'kysely'

/** Secrets that open a part of an account without a log-in. Of each only the hash is kept. */
export interface SecretTables {
  stop_link: { user_id: string; token_hash: Buffer; created_at: number; used_at: number | null }
  api_token: ApiTokenRow
}

export interface ApiTokenRow {
  id: Generated<number>
  user_id: string
  name: string
  scope: 'read' | 'stop'
  token_hash: Buffer
  created_at: number
  expires_at: number
  used_at: number | null
  used_from: string | null
}
