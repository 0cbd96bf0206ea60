/** A title is one line of a small screen, and must leave room for what is below it, UTF-16 units. */
const MAX_TITLE_LENGTH = 200
/** What has more is not writing, but marks heaped on a letter, UTF-16 units. */
const MAX_CHARACTER_LENGTH = 32
/** UTF-16 units. */
const MAX_LINK_LENGTH = 1_000
const ELLIPSIS = '…'

/** What people see as one character: a flag, a family or a syllable is never cut in half. */
const characters = new Intl.Segmenter('ko', { granularity: 'grapheme' })

/** One line of well-formed text: neither a line break nor another control character could begin a header or a second line. */
export const oneLine = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim()

export const titleLine = (title: string): string => cutLine(oneLine(title), (text) => text.length <= MAX_TITLE_LENGTH)

/** Only an address with its host opens from elsewhere; a path is of use to our own page only. A longer one would leave no room. */
export const absoluteLink = (url: string | null): string | null =>
  url !== null && url.length <= MAX_LINK_LENGTH && /^https?:\/\/\S+$/.test(url) ? url : null

const leftOut = (count: number): string => `${ELLIPSIS} 외 ${count}건`

/** The highest whole number below `end` for which `holds`, which holds up to some number and for none above it; −1: for none. */
function highest(end: number, holds: (value: number) => boolean): number {
  let [low, high] = [-1, end]
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (holds(middle)) low = middle
    else high = middle
  }
  return low
}

function cutLine(line: string, fits: (line: string) => boolean): string {
  if (fits(line)) return line
  const starts = characterStarts(line)
  const cut = (count: number): string => `${line.slice(0, starts[count])}${ELLIPSIS}`
  const count = highest(starts.length, (value) => fits(cut(value)))
  return count < 1 ? '' : cut(count)
}

function characterStarts(line: string): number[] {
  return [...characters.segment(line)].flatMap(({ segment, index }) => {
    if (segment.length <= MAX_CHARACTER_LENGTH) return [index]
    let at = index
    return Array.from(segment, (point) => (at += point.length) - point.length)
  })
}

/**
 * As many of the lines as fit, then how many were left out. A line is cut only where not even the first one fits; then it
 * counts as shown. `fits` judges the lines as they would be sent: with title, escapes and all.
 */
export function fitLines(lines: readonly string[], fits: (lines: readonly string[]) => boolean): readonly string[] {
  const all = lines.map(oneLine)
  if (fits(all)) return all
  const shortened = (count: number): string[] => [...all.slice(0, count), leftOut(all.length - count)]
  const count = highest(all.length, (value) => fits(shortened(value)))
  if (count > 0) return shortened(count)
  const [first = ''] = all
  const rest = all.length > 1 ? [leftOut(all.length - 1)] : []
  const cut = cutLine(first, (line) => fits([line, ...rest]))
  if (cut !== '') return [cut, ...rest]
  return count === 0 ? shortened(0) : []
}
