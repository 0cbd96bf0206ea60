import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import subsetFont from 'subset-font'
import type { Plugin } from 'vite'

const ROOT = new URL('../../../', import.meta.url).pathname
/** Sources whose texts people read: not tests, and not the packages of the broker's own words. */
const SOURCES = '{apps,packages}/!(kis|kis-sim)/src/**/!(*.test).{ts,tsx}'

/** Stocks that many people hold: their names are in this font from the first paint on, others once their syllables are loaded. */
const FREQUENT_NAMES = '삼성전자 하이닉스 현대차 기아 네이버 카카오 셀트리온 포스코 한화 두산 신한 하나금융지주'

/** Where the package pretendard keeps the variable font and its style sheets. */
export const FONT_FOLDER = dirname(
  createRequire(import.meta.url).resolve('pretendard/dist/web/variable/pretendardvariable.css'),
)
/** Weights that the style sheets use. */
const WEIGHTS = { min: 400, max: 800 }

const FONT = new URL('../src/style/subset.woff2', import.meta.url).pathname
/** The characters that subset.woff2 has: while they are the same it need not be made again, which takes 2 s. */
const CHARACTERS = new URL('../src/style/subset.txt', import.meta.url).pathname

/** Makes src/style/subset.woff2: the characters of our own texts in one small file, which a first visit needs. */
export function fontSubset(): Plugin {
  return {
    name: 'font-subset',
    async buildStart() {
      const characters = ourCharacters().join('')
      if (existsSync(FONT) && existsSync(CHARACTERS) && readFileSync(CHARACTERS, 'utf8') === characters) return
      const whole = readFileSync(`${FONT_FOLDER}/woff2/PretendardVariable.woff2`)
      writeFileSync(
        FONT,
        await subsetFont(whole, characters, { targetFormat: 'woff2', variationAxes: { wght: WEIGHTS } }),
      )
      writeFileSync(CHARACTERS, characters)
    },
  }
}

/** Every character of our own texts, and of the names above. */
export const ourCharacters = (): string[] =>
  charactersIn([FREQUENT_NAMES, ...globSync(SOURCES, { cwd: ROOT }).map((path) => readFileSync(ROOT + path, 'utf8'))])

/** Every printable character of the texts and all of ASCII, sorted. */
export function charactersIn(texts: readonly string[]): string[] {
  const ascii = Array.from({ length: 0x7f - 0x20 }, (_, at) => String.fromCharCode(0x20 + at))
  const all = new Set([...ascii, ...texts.flatMap((text) => Array.from(text))])
  return [...all].filter((character) => character >= ' ' && character !== '\u007f').sort()
}
