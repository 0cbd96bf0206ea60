import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { OperatorError } from '@digger/database'
import { filed, type FiledReply, isFiledReply } from '@digger/doctor'
import type { Examination, Wanted } from './examination.ts'

/** Replies of a run of the doctor, in the order in which they came. */
export interface Archive {
  readonly env: 'real' | 'paper'
  readonly replies: readonly FiledReply[]
}

/** Written last: whoever reads it knows that nothing is missing. */
const INDEX = 'archive.json'

/** One file a reply, readable by its owner only, without anything that names an account or opens it. */
export function fileReplies(folder: string, { examiner }: Examination, { keys }: Pick<Wanted, 'keys'>): number {
  if (existsSync(folder)) throw new OperatorError(`${folder}이(가) 벌써 있습니다. 새 폴더 이름을 주세요.`)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const files = filed(examiner.replies, examiner.times, keys.credentials)
  const write = (name: string, value: unknown): void =>
    writeFileSync(join(folder, name), `${JSON.stringify(value, null, 1)}\n`, { mode: 0o600 })
  for (const [name, reply] of files) write(name, reply)
  write(INDEX, { env: examiner.subject.rest.env, replies: files.length })
  return files.length
}

/** Throws OperatorError where the folder is none, has no replies, or lacks some. */
export function readArchive(folder: string): Archive {
  if (!existsSync(join(folder, INDEX)))
    throw new OperatorError(
      `${folder}은(는) npm run doctor -- --archive로 남긴 폴더가 아니거나, 다 남기지 못한 것입니다(${INDEX}이 없습니다).`,
    )
  const { env, count } = indexOf(folder)
  const names = readdirSync(folder)
    .filter((name) => /^\d{3,}-.*\.json$/.test(name))
    .sort((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10))
  if (names.length !== count || names.some((name, at) => Number.parseInt(name, 10) !== at + 1))
    throw new OperatorError(
      `${folder}에 응답 ${count}건이 있어야 하는데 ${names.length}건이 있습니다. 잘린 폴더입니다.`,
    )
  if (count === 0) throw new OperatorError(`${folder}에 응답이 하나도 없습니다.`)
  return { env, replies: names.map((name) => replyOf(join(folder, name))) }
}

function indexOf(folder: string): { readonly env: Archive['env']; readonly count: number } {
  const path = join(folder, INDEX)
  const index = readJson(path)
  const [env, count] = typeof index === 'object' && index !== null ? ['env', 'replies'].map(fieldOf(index)) : []
  if ((env !== 'real' && env !== 'paper') || typeof count !== 'number' || !Number.isSafeInteger(count))
    throw new OperatorError(`${path}을(를) 읽을 수 없습니다. 잘렸거나 다른 파일입니다.`)
  return { env, count }
}

const fieldOf =
  (value: object) =>
  (name: string): unknown =>
    Reflect.get(value, name)

function replyOf(path: string): FiledReply {
  const reply = readJson(path)
  if (!isFiledReply(reply)) throw new OperatorError(`${path}은(는) 보관한 응답이 아닙니다. 잘렸거나 다른 파일입니다.`)
  return reply
}

function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    throw new OperatorError(`${path}을(를) 읽을 수 없습니다. 잘렸거나 JSON이 아닙니다.`)
  }
}
