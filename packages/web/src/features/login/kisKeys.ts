/** What the broker's developer page shows of an application. */
export interface KisKeys {
  appKey?: string
  appSecret?: string
}

export const APP_KEY_LENGTH = 36
export const APP_SECRET_LENGTH = 180

/** The keys in a text that was copied from the developer page, in whatever order and between whatever words. */
export function kisKeysIn(text: string): KisKeys {
  const parts = text.normalize('NFKC').match(/[A-Za-z0-9+/=]+/g) ?? []
  const appKey = parts.find((part) => part.length === APP_KEY_LENGTH)
  const appSecret = parts.find((part) => part.length === APP_SECRET_LENGTH)
  return { ...(appKey !== undefined && { appKey }), ...(appSecret !== undefined && { appSecret }) }
}

/** An account number as the broker writes it, while its digits are typed; anything else stays as it is. */
export const withHyphen = (text: string): string => text.replace(/^(\d{8})(\d{1,2})$/, '$1-$2')

/** What is wrong with the length of a key, while it is typed; '' where nothing is. */
export function lengthHint(text: string, length: number): string {
  const given = text.trim().length
  if (given === 0 || given === length) return ''
  return given < length
    ? `${length}자 가운데 ${given}자입니다. 끝이 잘렸는지 보세요.`
    : `${length}자보다 ${given - length}자 깁니다. 다른 글자가 섞였는지 보세요.`
}
