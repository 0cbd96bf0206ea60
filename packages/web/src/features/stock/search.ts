/** First consonants of syllables, in the order of Unicode. */
const INITIALS = 'ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ'
const FIRST_SYLLABLE = 0xac00
const SYLLABLES_OF_INITIAL = 588

/** 삼성전자 → ㅅㅅㅈㅈ; what is no syllable stays. */
export const initialsOf = (name: string): string =>
  name.replaceAll(/[가-힣]/g, (syllable) => INITIALS[initialAt(syllable)] ?? syllable)

const initialAt = (syllable: string): number =>
  Math.floor(((syllable.codePointAt(0) ?? FIRST_SYLLABLE) - FIRST_SYLLABLE) / SYLLABLES_OF_INITIAL)

/** Half-typed syllables and letters of any width compare as what they look like; spaces count for nothing. */
const plainOf = (text: string): string => text.normalize('NFKC').toUpperCase().replaceAll(/\s/g, '')

const isInitials = (text: string): boolean => /^[ㄱ-ㅎ]*$/.test(text)

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
