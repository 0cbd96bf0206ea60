import { PLEASANT, type Answer } from './answers.ts'
import { PLANS } from './market.ts'
import { questions } from './questions.ts'
import { rowOf, type Row } from './row.ts'

/** A pleasant run with fewer trades has nothing that another answer could take away. */
const MIN_TRADES = 31

const UNASKED = questions('unasked').map(([name]) => name)

/** Runs of answers, each beside the pleasant one of its days. */
export class Runs {
  readonly rows: Row[] = []
  readonly #pleasant = new Map<Answer['days'], Row>()

  async run(answer: Answer): Promise<Row> {
    const watched = [...answer.asks, ...UNASKED]
    const row = await rowOf(answer, PLANS[answer.days], watched)
    const asked = new Map([...row.asked].filter(([name]) => answer.asks.some((one) => one === name)))
    const never = [...row.asked].filter(([name, times]) => times > 0 && UNASKED.some((one) => one === name))
    const isPleasant = PLEASANT.includes(answer)
    const problems = [
      ...row.problems,
      ...never.map(([name]) => `${name} was asked after all, and is not tried`),
      ...(isPleasant && row.trades < MIN_TRADES ? [`${row.trades} trades: this run proves nothing`] : []),
    ]
    const own = { ...row, asked, problems }
    this.rows.push(own)
    if (isPleasant) this.#pleasant.set(answer.days, own)
    return own
  }

  readonly pleasantOf = ({ answer: { days } }: Row): Row => {
    const row = this.#pleasant.get(days)
    if (row === undefined) throw new Error(`no pleasant run of ${days} days`)
    return row
  }
}
