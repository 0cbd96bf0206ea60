import { Refused } from '@digger/contract'

/** What everybody tries who attacks a server of this name and trade. docs/security.md names them. */
export const CONTEXT_WORDS = ['digger', '디거', 'kis', 'koreainvestment', '한국투자', '한투', 'stock', '주식'] as const
/** A part of an e-mail this short is in many passwords by chance. */
const MIN_NAME_LENGTH = 3
/** So many letters beside a known name make it another password. */
const MIN_OTHER_LETTERS = 4

let common: Promise<ReadonlySet<string>> | undefined

/** The 18,000 most used passwords of eight letters or more (of leaked ones, MIT licence); read at the first need. */
const commonPasswords = (): Promise<ReadonlySet<string>> =>
  (common ??= import('@zxcvbn-ts/language-common').then(({ dictionary }) => new Set(dictionary['passwords-common'])))

/**
 * Refuses a new password that guessers try first. Length is the contract's; passwords that are in use already are never
 * judged. `field` names the input in the refusal.
 */
export async function refuseGuessable(field: string, password: string, email: string): Promise<void> {
  const lower = password.toLowerCase().normalize('NFKC')
  if ((await commonPasswords()).has(lower)) {
    throw new Refused('INVALID', `${field}: 널리 알려진 비밀번호라 금방 뚫립니다. 다른 비밀번호로 정해 주세요.`)
  }
  const [name = ''] = email.split('@', 1)
  const own = [email, name].filter((one) => one.length >= MIN_NAME_LENGTH)
  if ([...own, ...CONTEXT_WORDS].some((one) => isMostly(lower, one))) {
    throw new Refused('INVALID', `${field}: 이메일이나 서비스 이름은 비밀번호로 쓸 수 없습니다. 다른 말로 정해 주세요.`)
  }
}

/** Whether it is the name itself, or the name with only digits, signs and a few letters around it. */
function isMostly(password: string, name: string): boolean {
  if (!password.includes(name)) return false
  return password.replaceAll(name, '').replaceAll(/[^\p{L}]/gu, '').length < MIN_OTHER_LETTERS
}
