import { KisError, NotOfferedError } from '@digger/kis'
import type { Asked, Examiner } from './examined.ts'
import { judgeTable } from './expect/judge.ts'
import { tablesOf } from './expect/by-call.ts'
import { type Finding, notOffered, ok, type Source, sourceText, wrong } from './finding.ts'
import { isGood, type Reply } from './reply.ts'

export interface Check {
  readonly key: string
  /** For people. */
  readonly name: string
  readonly source: Source
  readonly run: (examiner: Examiner) => Promise<Finding[]>
}

export const goodReplies = ({ replies }: Asked<unknown>): Reply[] => replies.filter(isGood)

/** What a question that the client could not read means; empty: it could. */
export function failure({ error }: Asked<unknown>, what: string): Finding[] {
  if (error === null) return []
  if (error instanceof NotOfferedError) return [notOffered(`${what}: 모의투자에서 제공하지 않는 조회입니다.`)]
  const code = error instanceof KisError && error.code !== null ? ` [${error.code}]` : ''
  return [
    wrong(
      `${what}을(를) 읽지 못했습니다: ${error.message}${code} 잠시 뒤 다시 점검하고, 계속되면 자동매매를 시작하지 마세요.`,
    ),
  ]
}

/** What the client could not read, and how the replies are written; each difference once. */
export function judged(examiner: Examiner, asked: Asked<unknown>, what: string): Finding[] {
  const good = goodReplies(asked)
  for (const reply of good) examiner.judged.add(reply)
  const tables = new Set(good.flatMap((reply) => tablesOf(reply)))
  const found = [...tables].flatMap((table) =>
    judgeTable(
      table,
      good.filter((reply) => tablesOf(reply).includes(table)),
    ),
  )
  return [...failure(asked, what), ...found]
}

/** What was found, or that it is all as believed. */
export const orOk = (findings: readonly Finding[], text: string, source: Source): Finding[] =>
  findings.length > 0 ? [...findings] : [ok(`${text} 근거: ${sourceText(source)}.`, { source })]
