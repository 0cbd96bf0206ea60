/**
 * `npm run fonts`: makes src/style/letters.woff2 (every letter that our own screens and messages use, in one small file
 * that a first visit needs) and src/style/names.css (the other common syllables, for names of stocks, in pieces that are
 * fetched when one of their letters is shown). To be run when a screen uses a letter that none did before.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import subsetFont from 'subset-font'
import { LETTERS, lettersIn } from './letters.ts'

const ROOT = new URL('../..', import.meta.url).pathname
const STYLE = new URL('src/style/', import.meta.url).pathname
const FONT = dirname(createRequire(import.meta.url).resolve('pretendard/dist/web/variable/pretendardvariable.css'))
/** Weights that the style sheets use. */
const WEIGHTS = { min: 400, max: 800 }

/** The 2,350 syllables of KS X 1001, those that Korean is written with. */
function commonSyllables(): Set<string> {
  const decoder = new TextDecoder('euc-kr')
  const all = new Set<string>()
  for (let row = 0xb0; row <= 0xc8; row += 1)
    for (let cell = 0xa1; cell <= 0xfe; cell += 1) all.add(decoder.decode(new Uint8Array([row, cell])))
  return all
}

/** `U+AC00-AC02, U+AC10` as letters. */
function* lettersOf(range: string): Generator<string> {
  for (const part of range.split(',')) {
    const [from = '', to = from] = part.trim().slice(2).split('-')
    for (let code = parseInt(from, 16); code <= parseInt(to, 16); code += 1) yield String.fromCodePoint(code)
  }
}

const hex = (letter: string): string => `U+${letter.codePointAt(0)?.toString(16)}`

/** Pretendard's own pieces, cut down to the syllables wanted; those left without any are dropped. */
function pieces(wanted: ReadonlySet<string>): string {
  const css = readFileSync(`${FONT}/pretendardvariable-dynamic-subset.css`, 'utf8')
  const faces = [...css.matchAll(/(PretendardVariable\.subset\.\d+\.woff2)[^}]*?unicode-range:([^;}]+)/g)]
  return faces
    .map(([, file, range = '']) => ({ file, letters: [...lettersOf(range)].filter((letter) => wanted.has(letter)) }))
    .filter(({ letters }) => letters.length > 0)
    .map(
      ({ file, letters }) =>
        `@font-face{font-family:'Pretendard Variable';font-weight:45 920;font-display:swap;` +
        `src:url(pretendard/dist/web/variable/woff2-dynamic-subset/${file})format('woff2');` +
        `unicode-range:${letters.map(hex).join()}}`,
    )
    .join('\n')
}

const sources = globSync('packages/{web,core,contract,server}/src/**/*.{ts,tsx}', { cwd: ROOT })
const letters = lettersIn(sources.map((path) => readFileSync(ROOT + path, 'utf8')))
const font = await subsetFont(readFileSync(`${FONT}/woff2/PretendardVariable.woff2`), letters.join(''), {
  targetFormat: 'woff2',
  variationAxes: { wght: WEIGHTS },
})
writeFileSync(`${STYLE}letters.woff2`, font)
writeFileSync(LETTERS, `${letters.join('')}\n`)
const rest = commonSyllables().difference(new Set(letters))
writeFileSync(`${STYLE}names.css`, `/* Made by \`npm run fonts\`. */\n${pieces(rest)}\n`)
console.log(`${letters.length} letters in ${(font.length / 1_000).toFixed(0)} kB; ${rest.size} more in pieces`)
