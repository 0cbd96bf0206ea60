const korean = new Intl.NumberFormat('ko-KR')
/** With so many decimals, from none to two, always: 12345.6 → 12,345.60. */
const fixed = [0, 1, 2].map(
  (digits) => new Intl.NumberFormat('ko-KR', { minimumFractionDigits: digits, maximumFractionDigits: digits }),
)
const decimals = (value: number, digits: number): string => fixed[digits]?.format(value) ?? String(value)

/** A minus as long as a plus: -1,500 → −1,500. For texts that are read; fields keep the hyphen that people type. */
export const withMinus = (text: string): string => text.replace('-', '−')

/** 1234567 → 1,234,567. Missing → —. */
export const number = (value: number | null): string => (value === null ? '—' : korean.format(value))
export const won = (value: number | null): string => (value === null ? '—' : `${korean.format(value)}원`)
/** With its sign, none on zero: +1,800원, −258원. */
export const signedWon = (value: number): string =>
  `${value > 0 ? '+' : value < 0 ? '−' : ''}${korean.format(Math.abs(value))}원`
/** With its sign, none on zero: +0.6%, −1.28%. */
export function signedPercent(value: number, digits = 2): string {
  const sign = signOf(value, digits)
  return `${sign > 0 ? '+' : sign < 0 ? '−' : ''}${decimals(Math.abs(value), digits)}%`
}
export const percent = (value: number | null): string => (value === null ? '—' : `${decimals(value, 2)}%`)
/** −0.004 shows as 0.00 %, so it has no sign either. */
export const signOf = (value: number, digits = 0): -1 | 0 | 1 => {
  const shown = Number(value.toFixed(digits))
  return shown > 0 ? 1 : shown < 0 ? -1 : 0
}

/** Short amounts for narrow places: 123,456,789,000 → 1,235억, 123,456,789 → 1.23억, 1,234,567 → 123만, 15,872 → 1.6만. */
export function shortWon(value: number): string {
  const size = Math.abs(value)
  const minus = value < 0 ? '−' : ''
  if (size >= 10_000_000_000) return `${minus}${korean.format(Math.round(size / 100_000_000))}억`
  if (size >= 100_000_000) return `${minus}${(size / 100_000_000).toFixed(2)}억`
  if (size >= 10_000 && size < 1_000_000) return `${minus}${Number((size / 10_000).toFixed(1))}만`
  if (size >= 1_000_000) return `${minus}${korean.format(Math.round(size / 10_000))}만`
  return minus + korean.format(size)
}

/** Amounts of an axis whose values are `step` apart, so that no two look the same: 1.05억, 10,050만, 1.5만, 500. */
export function axisWon(value: number, step: number): string {
  const minus = value < 0 ? '−' : ''
  const [unit, name] =
    step >= 1_000_000 && Math.abs(value) >= 100_000_000 ? [100_000_000, '억'] : step >= 1_000 ? [10_000, '만'] : [1, '']
  const digits = [0, 1, 2, 3].find((digits) => Number.isInteger(Number(((step / unit) * 10 ** digits).toFixed(6)))) ?? 3
  const size = Math.abs(value) / unit
  return value === 0
    ? '0'
    : `${minus}${size.toLocaleString('ko-KR', { minimumFractionDigits: digits, maximumFractionDigits: digits })}${name}`
}
