import { z } from 'zod'
import type { KisHoliday } from '../api.ts'
import type { RestContext } from './context.ts'
import { parse, nonBlank } from './fields.ts'

const ReplyBody = z.object({ output: z.array(z.object({ bass_dt: nonBlank, opnd_yn: z.enum(['Y', 'N']) })) })

/** The next 24 to 30 days: one page. The broker asks for about one such call a day. */
export async function getHolidays(kis: RestContext, from: string): Promise<readonly KisHoliday[]> {
  const params = { BASS_DT: from, CTX_AREA_FK: '', CTX_AREA_NK: '' }
  const { output } = parse(ReplyBody, await kis.calls.query('holidays', params, { priority: 'quote' }), 'holidays')
  return output.map((row) => ({ day: row.bass_dt, open: row.opnd_yn === 'Y' })).sort((a, b) => (a.day < b.day ? -1 : 1))
}
