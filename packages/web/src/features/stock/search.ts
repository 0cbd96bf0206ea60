/** First consonants of syllables, in the order of Unicode. */
const INITIALS = [...'ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ']
const FIRST_SYLLABLE = 0xac00
const LAST_SYLLABLE = 0xd7a3
const SYLLABLES_OF_INITIAL = 588

/** 삼성전자 → ㅅㅅㅈㅈ; what is no syllable stays. */
export const initialsOf = (name: string): string =>
  [...name].map((letter) => INITIALS[initialAt(letter)] ?? letter).join('')

function initialAt(letter: string): number {
  const code = letter.codePointAt(0) ?? 0
  if (code < FIRST_SYLLABLE || code > LAST_SYLLABLE) return -1
  return Math.floor((code - FIRST_SYLLABLE) / SYLLABLES_OF_INITIAL)
}

/** Half-typed syllables and letters of any width compare as what they look like; spaces count for nothing. */
const plainOf = (text: string): string => text.normalize('NFKC').toUpperCase().replaceAll(/\s/g, '')

const isInitials = (text: string): boolean => [...text].every((letter) => INITIALS.includes(letter))

/** NFKC makes other letters of consonants that stand alone; here they are what the keyboard has. */
const typedOf = (text: string): string => {
  const bare = text.replaceAll(/\s/g, '')
  return isInitials(bare) ? bare : plainOf(text)
}

/** Whether a stock is meant by what was typed: a part of its name, its first consonants, or the beginning of its code. */
export function isMeant({ name, code }: { name: string; code: string }, text: string): boolean {
  const typed = typedOf(text)
  if (typed === '') return true
  if (isInitials(typed)) return initialsOf(name.replaceAll(/\s/g, '')).includes(typed)
  return plainOf(name).includes(typed) || code.startsWith(typed)
}
