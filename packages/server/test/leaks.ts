import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** Things that must never be seen, by name. */
export type Secrets = Readonly<Record<string, string>>

/** A secret as it could travel: as it is, in hex, in a URL, escaped in JSON, in two bytes a letter, and in base64. */
function formsOf(secret: string): Buffer[] {
  const bytes = Buffer.from(secret)
  const escaped = secret
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('')
  const texts = [
    secret,
    bytes.toString('hex'),
    bytes.toString('hex').toUpperCase(),
    encodeURIComponent(secret),
    JSON.stringify(secret).slice(1, -1),
    escaped,
    ...base64sOf(bytes),
  ]
  return [...texts.map((text) => Buffer.from(text)), Buffer.from(secret, 'utf16le')]
}

/** Wherever in a longer text it stands: three alignments, without the letters that neighbours change; both alphabets. */
const base64sOf = (bytes: Buffer): string[] =>
  [0, 1, 2].flatMap((shift) => {
    const text = Buffer.concat([Buffer.alloc(shift), bytes])
      .toString('base64')
      .replaceAll('=', '')
    const inner = text.slice(shift === 0 ? 0 : shift + 1, -2)
    return [inner, inner.replaceAll('+', '-').replaceAll('/', '_')]
  })

type Needles = readonly (readonly [name: string, forms: readonly Buffer[]])[]

const needlesOf = (secrets: Secrets): Needles =>
  Object.entries(secrets).map(([name, secret]) => {
    const texts = new Set(formsOf(secret).map((form) => form.toString('latin1')))
    return [name, [...texts].map((text) => Buffer.from(text, 'latin1'))]
  })

/** Names of the secrets a place holds, in whatever form. */
export const leaksIn = (secrets: Secrets, place: Buffer | string): string[] =>
  found(needlesOf(secrets), Buffer.isBuffer(place) ? place : Buffer.from(place))

const found = (needles: Needles, bytes: Buffer): string[] =>
  needles.flatMap(([name, forms]) => (forms.some((form) => bytes.includes(form)) ? [name] : []))

/** Nothing of a file that a running server has just put away. */
function contentOf(path: string): Buffer {
  try {
    return readFileSync(path)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return Buffer.alloc(0)
    throw error
  }
}

/** The same for every file under a folder, each named. */
export function leaksUnder(secrets: Secrets, folder: string): string[] {
  const needles = needlesOf(secrets)
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return files.flatMap(({ parentPath, name }) => {
    const path = join(parentPath, name)
    return found(needles, contentOf(path)).map((leak) => `${leak} in ${path}`)
  })
}
