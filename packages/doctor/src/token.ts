import type { Examiner } from './examined.ts'
import { judgeKeys } from './expect/keys.ts'
import { type Finding, note, ok, source, wrong } from './finding.ts'
import { codeOf } from './reply.ts'

const SOURCE = source('M', '2.1')
/** Invalid, not found, expired. */
const DEAD: ReadonlySet<string> = new Set(['EGW00121', 'EGW00122', 'EGW00123'])

/** How the reply that brought the other token is written, and what became of the one of before. */
export async function examineToken(
  older: Examiner,
  newer: Examiner,
  isSame: () => Promise<boolean>,
): Promise<Finding[]> {
  const findings = await examineIssue(older, newer, isSame)
  return [...findings, ...judgeKeys(newer.keyReplies)]
}

/**
 * What becomes of the token of before when another one is issued. `newer` has none yet, so that its first question issues one: the
 * broker sends the person a message.
 */
async function examineIssue(older: Examiner, newer: Examiner, isSame: () => Promise<boolean>): Promise<Finding[]> {
  const { code } = older.subject
  const before = await older.ask((rest) => rest.quote(code))
  if (before.error !== null)
    return [wrong(`가지고 있던 토큰으로 읽지 못했습니다: ${before.error.message}`, { source: SOURCE })]
  const issued = await newer.ask((rest) => rest.quote(code))
  if (issued.error !== null)
    return [wrong(`새 토큰을 받지 못했습니다: ${issued.error.message} 1분 뒤에 다시 해 주세요.`, { source: SOURCE })]
  if (await isSame())
    return [ok('새로 달라고 해도 같은 토큰을 줍니다(발급 6시간 안). 서버가 함께 써도 됩니다.', { source: SOURCE })]
  const after = await older.ask((rest) => rest.quote(code))
  const dead = after.replies.find((reply) => DEAD.has(codeOf(reply)))
  if (dead !== undefined)
    return [
      ok('새 토큰을 받으면 옛 토큰은 끊깁니다. 믿는 대로이며, 디거는 끊긴 토큰을 스스로 바꿉니다.', {
        came: codeOf(dead),
        source: SOURCE,
      }),
    ]
  return [
    note('새 토큰을 받아도 옛 토큰이 살아 있습니다. 끊긴다고 믿고 있었지만, 매매는 그대로입니다.', { source: SOURCE }),
  ]
}
