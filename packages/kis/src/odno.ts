/**
 * Order numbers come zero-padded, space-padded or bare, depending on the call. Ours always have ten digits, which is
 * also the form the broker wants back.
 */
export function padOdno(odno: string): string {
  const digits = odno.trim()
  return /^\d+$/.test(digits) ? digits.replace(/^0+/, '').padStart(10, '0') : digits
}

/** The number of the order a row modifies or cancels; zeros or blanks mean there is none. */
export const originalOdno = (odno: string): string | null => (/^\s*0*\s*$/.test(odno) ? null : padOdno(odno))
