import { brotliCompressSync, constants } from 'node:zlib'
import type { Plugin } from 'vite'

/** Compressed kB of JS + CSS that a first visit to a page downloads (fonts and icons not counted). */
const BUDGETS = [
  { page: 'login', chunks: ['boot', 'base'], limit: 85 },
  { page: 'balance', chunks: ['boot', 'base', 'home'], limit: 130 },
]

/** What is read of an output file; fits the output bundle of the build. */
export type OutputFile =
  | { type: 'asset'; fileName: string; source: string | Uint8Array }
  | {
      type: 'chunk'
      fileName: string
      name: string
      code: string
      isEntry: boolean
      imports: readonly string[]
      viteMetadata?: { importedCss: ReadonlySet<string> } | undefined
    }
export type OutputFiles = Readonly<Record<string, OutputFile>>

/** Prints the size of each page in the budget and fails the build above its limit. */
export function bundleBudget(): Plugin {
  return {
    name: 'bundle-budget',
    apply: 'build',
    enforce: 'post',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        for (const { page, chunks, limit } of BUDGETS) {
          const kB = [...filesOf(bundle, chunks)].reduce((sum, file) => sum + compressedSize(bundle[file]), 0) / 1000
          const line = `${page}: ${kB.toFixed(1)} kB compressed JS+CSS (limit ${limit})`
          if (kB > limit) this.error(line)
          console.log(line)
        }
      },
    },
  }
}

function compressedSize(file: OutputFile | undefined): number {
  return file === undefined ? 0 : compressed(file.type === 'chunk' ? file.code : file.source)
}

/** Bytes of a file as the server sends it. */
export const compressed = (content: string | Uint8Array): number =>
  brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }).length

/** Every file that a page loads: the entries, the chunks named, and what these import. */
export function filesOf(bundle: OutputFiles, names: readonly string[]): Set<string> {
  const files = new Set<string>()
  const visit = (fileName: string) => {
    const chunk = bundle[fileName]
    if (files.has(fileName) || chunk?.type !== 'chunk') return
    files.add(fileName)
    for (const css of chunk.viteMetadata?.importedCss ?? []) files.add(css)
    chunk.imports.forEach(visit)
  }
  for (const item of Object.values(bundle)) {
    if (item.type === 'chunk' && (item.isEntry || names.includes(item.name))) visit(item.fileName)
  }
  return files
}
