import { z } from 'zod'
import type { Asked } from '../people/person.ts'

/** What a request sets, and to what: two requests of one subject compete for one value. */
export interface Setting {
  /** `stop user`, `stop 005930`, `settings 005930`. */
  readonly subject: string
  /** Null: the account. */
  readonly code: string | null
  readonly value: string
}

const StopBody = z.object({ level: z.enum(['user', 'stock']), stop: z.string(), code: z.string().optional() })

/** What people set that the server never changes by itself. */
const SettingsBody = z.object({
  maxBuyPrice: z.number().nullable(),
  maxBuyAmount: z.number().nullable(),
  buyUnitPrice: z.number().nullable(),
  recoverLastBuyPrice: z.boolean(),
  autoBuy: z.boolean(),
  buyPercent: z.number(),
  autoSell: z.boolean(),
  sellPercent: z.number(),
  useMinSellPrice: z.boolean(),
  minSellPrice: z.number().nullable(),
  autoSellWithAvgPrice: z.boolean(),
})

const SETTINGS = /^\/api\/user\/stock\/(\w{6})$/

/** Null: the request sets nothing that stays. */
export function settingOf({ method, path, body }: Asked): Setting | null {
  if (method !== 'POST' || body === null) return null
  if (path === '/api/user/stop') {
    const stop = StopBody.safeParse(body)
    if (!stop.success) return null
    const { level, code = null } = stop.data
    const of = level === 'stock' ? code : null
    return { subject: `stop ${of ?? 'user'}`, code: of, value: stop.data.stop }
  }
  const code = SETTINGS.exec(path)?.[1]
  return code === undefined ? null : { subject: `settings ${code}`, code, value: settingsText(body) }
}

/** Settings as one text, from a request or from a row. */
export const settingsText = (settings: object): string => JSON.stringify(SettingsBody.parse(settings))
