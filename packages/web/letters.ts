/** The letters that are in letters.woff2, as one line of text. */
export const LETTERS = new URL('src/style/letters.txt', import.meta.url).pathname

/** Every printable letter of the texts and all of ASCII, sorted. */
export function lettersIn(texts: readonly string[]): string[] {
  const ascii = Array.from({ length: 0x7f - 0x20 }, (_, at) => String.fromCharCode(0x20 + at))
  const all = new Set([...ascii, ...texts.flatMap((text) => Array.from(text))])
  return [...all].filter((letter) => letter >= ' ' && letter !== '\u007f').sort()
}
