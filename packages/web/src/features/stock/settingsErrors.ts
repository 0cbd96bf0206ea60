import { SETTING_NAMES, settingsProblems } from '@digger/core'
import { numbersOf, NUMBERS, SWITCHES, type Draft, type NumberName, type SwitchName } from './draft.ts'

/** What is wrong with each setting, for its own field. */
export type SettingsErrors = Partial<Record<NumberName | SwitchName, string>>

/** Everything that keeps the settings as typed from being saved, all at once. */
export function settingsErrors(draft: Draft): SettingsErrors {
  const errors: SettingsErrors = {}
  const { unread, settings } = numbersOf(draft)
  for (const name of unread)
    errors[name] = draft[name].trim() === '' ? '값을 넣어 주세요.' : '숫자로 넣어 주세요. 예: 1,000만, 70,000'
  for (const { field, text } of settingsProblems(settings)) errors[field] ??= text
  return errors
}

/** What a refusal says of single settings, each for its field, and what it says besides. */
export function errorsIn(message: string): { errors: SettingsErrors; rest: string } {
  const errors: SettingsErrors = {}
  const rest = message.split('\n').filter((line) => {
    const name = [...NUMBERS, ...SWITCHES].find((one) => line.startsWith(`${SETTING_NAMES[one]}: `))
    if (name === undefined) return true
    errors[name] ??= line.slice(SETTING_NAMES[name].length + 2)
    return false
  })
  return { errors, rest: rest.join('\n') }
}
