/** Full-width digits and signs as a Korean keyboard writes them, and the minus of a text, are the plain ones. */
const plainOf = (text: string): string => text.normalize('NFKC').replaceAll('−', '-').trim()

/** Separators stand where they belong, or nowhere: in a wrong place they are more likely a slip. */
const NUMBER = String.raw`(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?`
const PLAIN = new RegExp(`^[+-]?${NUMBER}$`)
const IN_UNITS = new RegExp(`^([+-]?)(?:(${NUMBER})억 ?)?(?:(${NUMBER})만 ?)?(${NUMBER})? ?원?$`)
const [EOK, MAN] = [100_000_000, 10_000]

const read = (digits: string): number => Number(digits.replaceAll(',', ''))

/** A number as a person types it: "1,000", "１０００", " 7 ". Empty: null; anything else: undefined. */
export function readNumber(text: string): number | null | undefined {
  const plain = plainOf(text)
  if (plain === '') return null
  return PLAIN.test(plain) ? read(plain) : undefined
}

/** An amount in won, also in the units it is spoken in: "1,000만", "1억 2,000만", "1.5억", "70,000원". Empty: null; anything else: undefined. */
export function readWon(text: string): number | null | undefined {
  const plain = plainOf(text)
  if (plain === '') return null
  const [, sign = '', eok, man, rest] = IN_UNITS.exec(plain) ?? []
  if (eok === undefined && man === undefined && rest === undefined) return undefined
  const size = times(eok, EOK) + times(man, MAN) + times(rest, 1)
  return sign === '-' ? -size : size
}

/** 1.2 × 100,000,000 has no rest of a fraction: amounts in units of 만 and 억 are whole won or what somebody typed. */
const times = (digits: string | undefined, unit: number): number =>
  digits === undefined ? 0 : Number((read(digits) * unit).toFixed(4))
