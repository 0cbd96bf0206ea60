import type { Request, WorkerReply } from './protocol.ts'
import { Rehearsal } from './rehearsal.ts'

const rehearsal = new Rehearsal()

addEventListener('message', ({ data }: MessageEvent<Request>) => {
  const reply = rehearsal.answer(data)
  postMessage(reply, { transfer: columnsOf(reply).map(({ buffer }) => buffer) })
})

/** What need not be copied. */
function columnsOf(reply: WorkerReply): (Float64Array<ArrayBuffer> | Uint32Array<ArrayBuffer>)[] {
  if (reply.kind === 'frame') return [reply.frame.low, reply.frame.high, reply.frame.close]
  if (reply.kind !== 'run') return []
  const { buys, sells, worse, better } = reply.traded
  return [buys, sells, worse, better]
}
