import { existsSync, statSync } from 'node:fs'
import { readFile, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'

const ENCODINGS = [
  ['.br', promisify(brotliCompress)],
  ['.gz', promisify(gzip)],
] as const
const TEXT = /\.(?:html|js|css|svg|json|webmanifest|txt|map)$/
/** A smaller file fits into one packet either way. */
const MIN_COMPRESS_BYTES = 1_024

/** Puts .br and .gz beside each text file of a built client, once per build, at full strength. */
export async function precompress(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name)
    if (!entry.isFile() || !TEXT.test(path) || statSync(path).size < MIN_COMPRESS_BYTES) continue
    for (const [ending, compress] of ENCODINGS) {
      if (!isFresh(path, path + ending)) await writeFile(path + ending, await compress(await readFile(path)))
    }
  }
}

const isFresh = (source: string, made: string): boolean =>
  existsSync(made) && statSync(made).mtimeMs >= statSync(source).mtimeMs
