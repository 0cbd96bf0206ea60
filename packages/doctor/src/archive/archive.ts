import { callOf, type Reply } from '../reply.ts'
import type { FiledReply } from './filed-reply.ts'
import { Redaction, type Secrets } from './redaction.ts'

/** Headers that show how the broker writes; of the rest some name a visitor. */
const KEPT_HEADERS: ReadonlySet<string> = new Set(['content-type', 'tr_id', 'tr_cont', 'date'])

/** Every reply of a run, in order, each with a name for its file. */
export function filed(
  replies: readonly Reply[],
  times: ReadonlyMap<Reply, number>,
  secrets: Secrets,
): (readonly [name: string, FiledReply])[] {
  const redaction = new Redaction(secrets)
  return replies.map((reply, at) => {
    const name = `${String(at + 1).padStart(3, '0')}-${callOf(reply)}.json`
    return [name, redaction.of(asFiled(reply, times.get(reply) ?? 0))]
  })
}

const asFiled = (reply: Reply, at: number): FiledReply => ({
  call: callOf(reply),
  trId: reply.trId,
  params: reply.params,
  cont: reply.cont,
  at,
  status: reply.status,
  headers: reply.headers.filter(([name]) => KEPT_HEADERS.has(name.toLowerCase())),
  body: reply.body ?? reply.text.slice(0, MAX_TEXT),
})

/** Of a body that is no JSON, as a maintenance page. */
const MAX_TEXT = 2_000
