import { readFileSync } from 'node:fs'
import type { Plugin } from 'vite'
import { FONT_FOLDER, ourCharacters } from './fontSubset.ts'

/** Imported by the client; exists only here. */
const MODULE = 'virtual:name-syllables.css'

/**
 * Generates the style sheet of the common Korean syllables that subset.woff2 lacks: names of stocks and people may have any
 * of them. They stay in Pretendard's own pieces, which browsers fetch when one of their syllables is shown.
 */
export function nameSyllables(): Plugin {
  const resolved = `\0${MODULE}`
  return {
    name: 'name-syllables',
    resolveId: (id) => (id === MODULE ? resolved : undefined),
    load(id) {
      if (id !== resolved) return undefined
      const css = readFileSync(`${FONT_FOLDER}/pretendardvariable-dynamic-subset.css`, 'utf8')
      const wanted = commonSyllables()
      for (const character of ourCharacters()) wanted.delete(character)
      return fontFaces(css, wanted)
    },
  }
}

/** The 2,350 syllables of KS X 1001, those that Korean is written with. */
export function commonSyllables(): Set<string> {
  const decoder = new TextDecoder('euc-kr')
  const all = new Set<string>()
  for (let row = 0xb0; row <= 0xc8; row += 1)
    for (let cell = 0xa1; cell <= 0xfe; cell += 1) all.add(decoder.decode(new Uint8Array([row, cell])))
  return all
}

/** `U+AC00-AC02, U+AC10` as characters. */
export function* charactersOf(range: string): Generator<string> {
  for (const part of range.split(',')) {
    const [from = '', to = from] = part.trim().slice(2).split('-')
    for (let code = parseInt(from, 16); code <= parseInt(to, 16); code += 1) yield String.fromCodePoint(code)
  }
}

const hex = (character: string): string => `U+${character.codePointAt(0)?.toString(16)}`

/** Pretendard's own `@font-face` rules, cut down to the characters wanted; rules left without any are dropped. */
export function fontFaces(css: string, wanted: ReadonlySet<string>): string {
  const faces = [...css.matchAll(/(PretendardVariable\.subset\.\d+\.woff2)[^}]*?unicode-range:([^;}]+)/g)]
  return faces
    .map(([, file, range = '']) => ({ file, shown: [...charactersOf(range)].filter((one) => wanted.has(one)) }))
    .filter(({ shown }) => shown.length > 0)
    .map(
      ({ file, shown }) =>
        `@font-face{font-family:'Pretendard Variable';font-weight:45 920;font-display:swap;` +
        `src:url(pretendard/dist/web/variable/woff2-dynamic-subset/${file})format('woff2');` +
        `unicode-range:${shown.map(hex).join()}}`,
    )
    .join('\n')
}
