import { randomUUID } from 'node:crypto'
import { existsSync, statSync } from 'node:fs'
import { readFile, readdir, rename, writeFile } from 'node:fs/promises'
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
      if (!isFresh(path, path + ending)) await putWhole(path + ending, await compress(await readFile(path)))
    }
  }
}

/** All of it or nothing: it may be asked for meanwhile, and a browser keeps for a year what it is given. */
async function putWhole(path: string, bytes: Buffer): Promise<void> {
  const making = `${path}.${randomUUID()}`
  await writeFile(making, bytes)
  await rename(making, path)
}

const isFresh = (source: string, made: string): boolean =>
  existsSync(made) && statSync(made).mtimeMs >= statSync(source).mtimeMs
