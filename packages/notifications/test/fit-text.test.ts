import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { absoluteLink, fitLines, oneLine, titleLine } from '../src/channels/fit-text.ts'

const upTo = (max: number) => (lines: readonly string[]) => lines.join('\n').length <= max
const bytesUpTo = (max: number) => (lines: readonly string[]) =>
  Buffer.byteLength(JSON.stringify(lines.join('\n'))) <= max

describe('what fits is kept whole, and what does not is counted', () => {
  test.each([
    ['all of it', ['가', '나'], 3, ['가', '나']],
    ['nothing at all', [], 0, []],
    ['the last one is too much', ['가가가가가가가', '나나나나나나나', '다다다'], 18, ['가가가가가가가', '… 외 2건']],
    ['room for two and the note', ['aaaa', 'bbbb', 'cccccccc', 'd'], 16, ['aaaa', 'bbbb', '… 외 2건']],
    ['one line, longer than the limit', ['가나다라마바사'], 4, ['가나다…']],
    ['the first one is longer than the limit', ['가나다라마바사아자차', '나', '다'], 12, ['가나다라…', '… 외 2건']],
    ['no room but for the note', ['가나다라마', '나'], 6, ['… 외 2건']],
    ['no room for anything', ['가나다라', '나'], 1, []],
    ['a tenth line changes the width of the note', Array.from({ length: 12 }, () => 'ab'), 12, ['ab', '… 외 11건']],
  ])('%s', (_name, lines, max, expected) => expect(fitLines(lines, upTo(max))).toEqual(expected))

  test.each([
    ['a letter outside of the basic plane', '𠮷𠮷𠮷', 4, '𠮷…'],
    ['a family is one character', '👨‍👩‍👧‍👦👨‍👩‍👧‍👦', 13, '👨‍👩‍👧‍👦…'],
    ['a flag', '🇰🇷🇰🇷🇰🇷', 9, '🇰🇷🇰🇷…'],
    ['a syllable in parts', '각각각'.normalize('NFD'), 5, `${'각'.normalize('NFD')}…`],
    ['marks heaped on a letter', `a${'\u0301'.repeat(100)}`, 20, `a${'\u0301'.repeat(18)}…`],
  ])('%s is not cut in half', (_name, line, max, expected) => expect(fitLines([line], upTo(max))).toEqual([expected]))

  test('half a pair of surrogates from elsewhere becomes the sign for what cannot be read', () => {
    expect(fitLines(['a\uD83Db'], upTo(10))).toEqual(['a\uFFFDb'])
  })
})

const line = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 30 }),
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.constantFrom('', '삼성전자 10주를 72,300원에 샀습니다.', 'a'.repeat(300), '👨‍👩‍👧‍👦'.repeat(20)),
)
const limit = fc.oneof(fc.nat(60), fc.nat(3_000))

/** What was promised and is not so; null: nothing. */
function broken(lines: readonly string[], fits: (lines: readonly string[]) => boolean): string | null {
  const all = lines.map(oneLine)
  const shown = fitLines(lines, fits)
  if (shown.length > 0 && !fits(shown)) return 'above the limit'
  if (!shown.every((text) => text.isWellFormed() && oneLine(text) === text)) return 'no line, or half a character'
  if (fits(all)) return shown.join('\n') === all.join('\n') ? null : 'less than what fits'
  const left = Number(/^… 외 (\d+)건$/.exec(shown.at(-1) ?? '')?.[1] ?? 0)
  const kept = left > 0 ? shown.slice(0, -1) : shown
  if (shown.length > 0 && kept.length + left !== all.length) return 'a wrong count'
  if (kept.every((text, at) => text === all[at])) {
    const oneMore = [...all.slice(0, kept.length + 1), ...(left > 1 ? [`… 외 ${left - 1}건`] : [])]
    return shown.length > 0 && fits(oneMore) ? 'room for one line more' : null
  }
  const [cut = ''] = kept
  if (kept.length > 1 || !cut.endsWith('…')) return 'a line that is cut beside others'
  if (!all[0]?.startsWith(cut.slice(0, -1))) return 'another line than the first'
  return fits([all[0], ...shown.slice(1)]) ? 'a line is cut that fits' : null
}

test.each([
  ['characters', upTo],
  ['bytes as JSON', bytesUpTo],
])(
  'for any lines and any limit in %s: never above it, never half a character, and the count is right',
  (_name, limitOf) => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 40 }), limit, (lines, max) => {
        expect(broken(lines, limitOf(max))).toBeNull()
      }),
      { numRuns: 1_000 },
    )
  },
)

test.each([
  ['a line break', '매수\r\nBcc: x@example.com', '매수 Bcc: x@example.com'],
  ['other ends of a line', 'a\u2028b\u2029c\u0085d\u000Be', 'a b c d e'],
  ['a zero byte and an escape', 'a\u0000\u001B[31mb', 'a [31mb'],
  ['space around', '  매수 \t', '매수'],
])('%s does not leave the line', (_name, text, expected) => expect(oneLine(text)).toBe(expected))

test('a title is one line of at most 200', () => {
  expect(titleLine('매수\n체결')).toBe('매수 체결')
  expect(titleLine('가'.repeat(200))).toHaveLength(200)
  expect(titleLine('가'.repeat(201))).toBe(`${'가'.repeat(199)}…`)
})

test.each([
  ['https://digger.example/a', 'https://digger.example/a'],
  ['http://localhost:8081/', 'http://localhost:8081/'],
  ['/accounts/1', null],
  ['javascript:alert(1)', null],
  ['https://digger.example/a\nb', null],
  [`https://digger.example/${'a'.repeat(1_000)}`, null],
  [null, null],
])('from elsewhere %s opens %s', (url, expected) => expect(absoluteLink(url)).toBe(expected))
