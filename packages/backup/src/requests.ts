import { lstat, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type Clock, copyRunning, every } from '@digger/database'
import type { Pool } from 'pg'
import { BackupError } from './manifest.ts'

/*
 * The folder of the embedded database lets one process in. Whoever wants a backup beside a running server leaves a folder with a file
 * in the data folder, where nobody else can write; the server copies its database into it and says so with another file. No port is
 * opened, and strangers can ask for nothing.
 */

const REQUESTS = 'backup'
const ASKED = 'asked'
const COPIED = 'copied'
const FAILED = 'failed'
const NAME = /^[0-9a-f]{16}$/
const LOOK_MS = 1_000
const ANSWER_LOOK_MS = 100
/** A server that is there takes a request within a second, ms. */
const BEGIN_TIMEOUT_MS = 20_000
/** Longer than the largest database needs to be copied, ms. */
const COPY_TIMEOUT_MS = 30 * 60_000
/** Whoever asked has read its copy by then, ms; what is older was left by a process that was killed. */
const LEFT_OVER_MS = 6 * 3_600_000

/** A copy of the database that nobody else has open. */
export interface FolderCopy {
  readonly dataDir: string
  remove(): Promise<void>
}

/** Asks the server that has the data folder open for a copy. Throws BackupError where it fails, or none answers. */
export async function askForCopy(dataDir: string): Promise<FolderCopy> {
  const folder = join(dataDir, REQUESTS, randomBytes(8).toString('hex'))
  const remove = () => rm(folder, { recursive: true, force: true })
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await writeFile(join(folder, ASKED), '', { mode: 0o600 })
    await answered(folder)
    return { dataDir: folder, remove }
  } catch (error) {
    await remove()
    throw error
  }
}

async function answered(folder: string): Promise<void> {
  const began = performance.now()
  for (;;) {
    const names = await readdir(folder)
    if (names.includes(COPIED)) return
    if (names.includes(FAILED)) {
      const why = await readFile(join(folder, FAILED), 'utf8')
      throw new BackupError(`켜 둔 서버가 복사하지 못했습니다: ${why}`)
    }
    const waited = performance.now() - began
    if (waited > COPY_TIMEOUT_MS || (waited > BEGIN_TIMEOUT_MS && names.includes(ASKED)))
      throw new BackupError(
        '이 폴더를 쓰는 서버가 백업 요청에 답하지 않습니다. 서버를 켠 사용자로 실행했는지, 백업을 아는 버전의 서버인지 확인해 주세요.',
      )
    await delay(ANSWER_LOOK_MS)
  }
}

export interface AnswerParts {
  readonly pool: Pick<Pool, 'query'>
  readonly dataDir: string
  readonly clock: Clock
  /** What went wrong, for the log. */
  readonly failed: (error: unknown) => void
}

/** Answers requests for copies from now on; returns the way to end it, which ends a copy that is being made. */
export function answerRequests(parts: AnswerParts): () => Promise<void> {
  const { clock, failed } = parts
  let underWay: Promise<void> | null = null
  const ending = new AbortController()
  const stop = every(clock, LOOK_MS, () => {
    underWay ??= answerAll(parts, ending.signal)
      .catch(failed)
      .finally(() => (underWay = null))
  })
  return async () => {
    stop()
    ending.abort(new BackupError('서버가 꺼지는 중입니다. 켜진 뒤에 다시 해 주세요.'))
    await underWay
  }
}

async function answerAll({ pool, dataDir, failed }: AnswerParts, signal: AbortSignal): Promise<void> {
  const home = join(dataDir, REQUESTS)
  for (const name of await readdir(home).catch(() => [])) {
    const folder = join(home, name)
    const found = await requestIn(name, folder)
    if (found === 'left over') await rm(folder, { recursive: true, force: true })
    if (found !== 'asked') continue
    try {
      // Whoever asked sees by its absence that somebody is at it.
      await rm(join(folder, ASKED))
      await copyRunning(pool, { from: dataDir, to: folder, signal })
      await answer(folder, COPIED, '')
    } catch (error) {
      failed(error)
      // Gone where whoever asked has given up.
      await answer(folder, FAILED, error instanceof Error ? error.message : String(error)).catch(() => undefined)
    }
  }
}

async function requestIn(name: string, folder: string): Promise<'asked' | 'left over' | null> {
  const found = await lstat(folder).catch(() => null)
  if (!NAME.test(name) || found?.isDirectory() !== true) return null
  if (Date.now() - found.mtimeMs > LEFT_OVER_MS) return 'left over'
  return (await readdir(folder)).includes(ASKED) ? 'asked' : null
}

/** Whole as soon as it is there. */
async function answer(folder: string, name: string, text: string): Promise<void> {
  const half = join(folder, `${name}.half`)
  await writeFile(half, text, { mode: 0o600 })
  await rename(half, join(folder, name))
}
