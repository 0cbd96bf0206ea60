import type { Stock } from '@digger/contract'
import type { QueryClient } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { asProblem } from '../../api/problem.ts'
import { report, send } from '../../api/send.ts'
import { invalidateStock, patchStock, putStocks } from '../../api/stockCache.ts'
import { ask } from '../../ask/ask.ts'
import { letGo } from '../../live/press.ts'
import { askBeforeSaving } from './askBeforeSaving.ts'
import { errorsIn, type SettingsErrors } from './settingsErrors.ts'
import { bodyOf, changesOf, clashes, draftOf, TITLES, type Draft, type NumberName, type SwitchName } from './draft.ts'

/** A stock that trades all the time changes all the time: a save is repeated at most this often. */
const MAX_TRIES = 5

/**
 * Saves what a person changed of the stock as they saw it, asked once more where that would buy or sell at once. Where a trade moved other settings meanwhile those are kept and
 * it is saved again; where it moved the same one, the person decides. The saved stock, or null after the refusal was shown:
 * by `onErrors` what concerns single settings.
 */
export async function saveStock(
  client: QueryClient,
  seen: Stock,
  draft: Partial<Draft>,
  onErrors?: (errors: SettingsErrors) => void,
): Promise<Stock | null> {
  const changes = changesOf(seen, draft)
  const saved = await saveAsked(client, seen, changes).catch((error: unknown) => {
    refuse(error, onErrors)
    return null
  })
  if (saved) putStocks(client, seen.userId, [saved])
  // What was refused, or kept by the person, may be newer than what the page shows.
  else invalidateStock(client, seen.code)
  return saved
}

function refuse(error: unknown, onErrors: ((errors: SettingsErrors) => void) | undefined): void {
  const { code, message } = asProblem(error)
  const { errors, rest } = errorsIn(message)
  if (onErrors === undefined || code !== 'INVALID' || Object.keys(errors).length === 0) return report(error)
  onErrors(errors)
  if (rest !== '') void ask.alert(rest)
}

const saveAsked = async (client: QueryClient, seen: Stock, changes: Partial<Draft>): Promise<Stock | null> =>
  (await askBeforeSaving(client, seen, changes)) ? saveOver(seen, changes, MAX_TRIES) : null

async function saveOver(base: Stock, changes: Partial<Draft>, tries: number): Promise<Stock | null> {
  const params = { userId: base.userId, code: base.code }
  try {
    return await call('updateStock', { params, body: bodyOf(base, { ...draftOf(base), ...changes }) })
  } catch (error) {
    if (asProblem(error).code !== 'CONFLICT' || tries === 1) throw error
    const newest = await call('stock', { params, query: { withSavedGain: 'true' } })
    if (newest.version === base.version) throw error
    const both = clashes(base, newest, changes)
    return both.length === 0 || (await confirmOverwrite(newest, both)) ? saveOver(newest, changes, tries - 1) : null
  }
}

/** Asks whether what was typed is to replace what is there now. */
function confirmOverwrite(newest: Stock, names: readonly (NumberName | SwitchName)[]): Promise<boolean> {
  const now = draftOf(newest)
  const current = names.map((name) => `${TITLES[name]}: ${valueText(now[name])}`)
  return ask.confirm('그 사이에 바뀐 값이 있습니다. 적은 값으로 저장할까요?', {
    note: `지금 값은 ${current.join(', ')}입니다.`,
    yes: '저장',
  })
}

const valueText = (value: string | boolean): string =>
  typeof value === 'string' ? value || '없음' : value ? '켜짐' : '꺼짐'

/**
 * Turns live prices of a stock on or off. The screen goes ahead, as nothing is traded by it: refused, it goes back. Whether it
 * was done.
 */
export async function subscribe(client: QueryClient, { userId, code, priceSubscribed }: Stock): Promise<boolean> {
  const id = { userId, code }
  // An older copy of the stock would take it back.
  letGo()
  patchStock(client, id, { priceSubscribed: !priceSubscribed })
  const reply = await send('toggleSubscribed', { params: id })
  patchStock(client, id, { priceSubscribed: reply?.subscribed ?? priceSubscribed })
  return reply !== null
}
