import { PGlite } from '@electric-sql/pglite'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { mkdir, open, readFile, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { PrivateNodeFS, closeTree } from './private.ts'

declare global {
  // Node has it; its type package leaves it to the browser's.
  namespace WebAssembly {
    interface Module {
      readonly [Symbol.toStringTag]: string
    }
    function compile(bytes: Uint8Array): Promise<Module>
  }
}

/** PostgreSQL inside the pinned PGlite. Its folder format is 32-bit and of this major only. */
const POSTGRES_MAJOR = '18'

const compile = async (file: string): Promise<WebAssembly.Module> =>
  WebAssembly.compile(await readFile(new URL(file, import.meta.resolve('@electric-sql/pglite'))))

/** A first start runs the engine three times; compiled once it takes a third less. */
export const compileEngine = (): Promise<WebAssembly.Module> => compile('pglite.wasm')

/**
 * Makes the database folder when there is none: beside its place, flushed to the disk, then renamed into it, so that a
 * power cut or kill during the first start leaves either nothing or a whole database. True when it was made now.
 */
export async function ensureFolder(folder: string, engine: WebAssembly.Module): Promise<boolean> {
  if (existsSync(join(folder, 'PG_VERSION'))) {
    const major = readFileSync(join(folder, 'PG_VERSION'), 'utf8').trim()
    if (major === POSTGRES_MAJOR) {
      closeTree(folder)
      return false
    }
    throw new Error(
      `다른 버전(PostgreSQL ${major})의 데이터베이스 폴더입니다. 이 서버는 ${POSTGRES_MAJOR}만 엽니다. ` +
        '이 폴더를 쓰던 Digger로 옮겨 적은 뒤 새 폴더에 넣어 주세요(docs/upgrade-database.md).',
    )
  }
  if (existsSync(folder) && readdirSync(folder).length > 0) {
    throw new Error('데이터베이스가 아닌 파일이 들어 있는 폴더입니다. 빈 폴더를 정해 주세요.')
  }
  const half = `${folder}.init`
  await rm(half, { recursive: true, force: true })
  await rm(folder, { recursive: true, force: true })
  await mkdir(dirname(folder), { recursive: true, mode: 0o700 })
  const made = await PGlite.create({
    fs: new PrivateNodeFS(half),
    pgliteWasmModule: engine,
    initdbWasmModule: await compile('initdb.wasm'),
  })
  await made.close()
  await flushTree(half)
  await rename(half, folder)
  await flush(dirname(folder))
  return true
}

async function flushTree(folder: string): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true })
  await Promise.all(entries.map((entry) => flush(join(entry.parentPath, entry.name))))
  await flush(folder)
}

async function flush(path: string): Promise<void> {
  const file = await open(path, 'r')
  try {
    await file.sync()
  } catch (error) {
    // Folders cannot be synced everywhere (Windows); files can.
    const code = error instanceof Error && 'code' in error ? error.code : ''
    if (code !== 'EPERM' && code !== 'EINVAL') throw error
  } finally {
    await file.close()
  }
}
