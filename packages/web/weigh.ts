import { brotliCompressSync, constants } from 'node:zlib'
import type { Plugin } from 'vite'

/** Compressed kB of JS + CSS that a first visit to a page downloads (fonts and icons not counted). */
const LIMITS = [
  { page: 'login', chunks: ['boot', 'base'], limit: 85 },
  { page: 'balance', chunks: ['boot', 'base', 'home'], limit: 130 },
]

type Bundle = Parameters<Extract<Plugin['generateBundle'], (...args: never[]) => unknown>>[1]

/** Prints each page's weight and fails the build above the limit. */
export function weigh(): Plugin {
  return {
    name: 'weigh',
    apply: 'build',
    enforce: 'post',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        for (const { page, chunks, limit } of LIMITS) {
          const kB = weightOf(bundle, chunks) / 1000
          const line = `${page}: ${kB.toFixed(1)} kB compressed JS+CSS (limit ${limit})`
          if (kB > limit) this.error(line)
          console.log(line)
        }
      },
    },
  }
}

const brotli = (text: string) => brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } })

function texts(bundle: Bundle): [string, string][] {
  return Object.values(bundle).flatMap((item): [string, string][] => {
    if (item.type === 'chunk') return [[item.fileName, item.code]]
    return /\.(css|svg|html)$/.test(item.fileName) ? [[item.fileName, String(item.source)]] : []
  })
}

function weightOf(bundle: Bundle, names: string[]): number {
  const sources = new Map(texts(bundle))
  const files = new Set<string>()
  const visit = (file: string) => {
    const chunk = bundle[file]
    if (files.has(file) || chunk?.type !== 'chunk') return
    files.add(file)
    for (const css of chunk.viteMetadata?.importedCss ?? []) files.add(css)
    chunk.imports.forEach(visit)
  }
  for (const item of Object.values(bundle)) {
    if (item.type === 'chunk' && (item.isEntry || names.includes(item.name))) visit(item.fileName)
  }
  return [...files].reduce((sum, file) => sum + brotli(sources.get(file) ?? '').length, 0)
}
