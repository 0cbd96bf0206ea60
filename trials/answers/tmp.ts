import { ANSWERS, BEFALLEN, PLEASANT } from './answers.ts'
import { PLAN } from './market.ts'
import { rowOf, tableOf } from './row.ts'
const p = await rowOf(PLEASANT, PLAN)
const rows = [p]
for (const one of [...BEFALLEN, ...ANSWERS.filter((a) => a.changes === 'market' || a.name.startsWith('baseShown'))]) {
  try {
    rows.push(await rowOf(one, PLAN))
  } catch (e) {
    console.log(one.name, String(e))
  }
  console.log(tableOf(rows.slice(-1), p).split('\n').slice(1).join('\n'))
}
