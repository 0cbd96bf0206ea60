import type { Clock } from '@digger/database'
import { telegramApi, type TelegramOptions } from '../channels/telegram.ts'

/** A bot that cannot be asked is asked again this much later, ms. */
const ASK_AGAIN_MS = 60_000
const TIMEOUT_SECONDS = 5

/** Name of the operator's bot, as Telegram says it; null while it cannot be asked. */
export function botNameOf(options: TelegramOptions | undefined, wall: Clock): () => Promise<string | null> {
  if (options === undefined) return () => Promise.resolve(null)
  const api = telegramApi({ ...options, timeoutSeconds: TIMEOUT_SECONDS })
  let last: { readonly name: string | null; readonly at: number } | null = null
  return async () => {
    if (last !== null && (last.name !== null || wall.now() - last.at < ASK_AGAIN_MS)) return last.name
    const name = await api.getMe().then(
      ({ username }) => username,
      () => null,
    )
    last = { name, at: wall.now() }
    return name
  }
}
