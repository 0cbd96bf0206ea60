import { existsSync, statSync } from 'node:fs'
import { readFile, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'

const FORMS = [
  ['.br', promisify(brotliCompress)],
  ['.gz', promisify(gzip)],
] as const
const TEXT = /\.(?:html|js|css|svg|json|webmanifest|txt|map)$/
/** Smaller than a packet: nothing to gain. */
const WORTH_BYTES = 1_024

/** Puts .br and .gz beside each text file of a built client, once per build, at full strength. */
export async function precompress(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name)
    if (!entry.isFile() || !TEXT.test(path) || statSync(path).size < WORTH_BYTES) continue
    for (const [ending, shrink] of FORMS) {
      if (!isFresh(path, path + ending)) await writeFile(path + ending, await shrink(await readFile(path)))
    }
  }
}

const isFresh = (source: string, made: string): boolean =>
  existsSync(made) && statSync(made).mtimeMs >= statSync(source).mtimeMs
