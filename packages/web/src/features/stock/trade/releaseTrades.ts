import { send } from '../../../api/send.ts'
import { ask } from '../../../ask/ask.ts'
import { number } from '../../../format/won.ts'
import { strictestOf } from '../../../stops/stops.ts'
import { releaseText, sharesIn } from './takenOver.ts'

/** Asks whether Digger may sell trades that a correction brought, and says what would be sold at once: by the price of now. */
export async function releaseTrades(params: { userId: string; code: string }, ids: readonly number[]): Promise<void> {
  // The page may show a simulated price, and the target of a moment ago.
  const [stock, trades, stops] = await Promise.all([
    send('stock', { params, query: {} }),
    send('trades', { params, query: {} }),
    send('stop', { params }),
  ])
  if (stock === null || trades === null || stops === null) return
  const chosen = trades.filter(({ id, takenOver }) => takenOver && ids.includes(id))
  if (chosen.length === 0) return void ask.alert('이미 자동 매도에 들어 있거나 없는 매매입니다.')
  const tradeIds = chosen.map(({ id }) => id)
  const question = `${number(chosen.length)}건(${number(sharesIn(chosen))}주)을 자동 매도에 넣을까요?`
  const note = `${releaseText(stock, trades, tradeIds, strictestOf(stops))} 되돌릴 수 없습니다.`
  if (!(await ask.confirm(question, { note, yes: '넣기', danger: true }))) return
  const reply = await send('releaseTrades', { params, body: { tradeIds } })
  // The trades come as events.
  if (reply) await ask.alert('done', '요청을 처리했습니다.')
}
