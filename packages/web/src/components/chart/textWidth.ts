/** Width of a figure or a letter of 12 px, and of a syllable; generous, for fonts that are not ours. */
const FIGURE = 7.6
const SYLLABLE = 12.5
const NARROW = 4.5

/** About how wide a text of 12 px is at most, px: where it stands is decided before it is drawn. */
export const textWidth = (text: string): number => Array.from(text).reduce((sum, letter) => sum + widthOf(letter), 0)

const widthOf = (letter: string): number => {
  if (letter >= '가' && letter <= '힣') return SYLLABLE
  return ',. '.includes(letter) ? NARROW : FIGURE
}
