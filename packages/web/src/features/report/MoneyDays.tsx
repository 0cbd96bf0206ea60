import { Panel } from '../../components/Panel.tsx'
import { Signed } from '../../components/Signed.tsx'
import { showDay, weekdayName } from '../../format/day.ts'
import { won } from '../../format/won.ts'
import css from './MoneyDays.module.css'
import { moneyRows, withoutQuietWeekends, type MoneyDay } from './moneyRows.ts'

/** Money of each day with its change against the day listed below. */
export function MoneyDays({ days }: { days: readonly MoneyDay[] }) {
  const panels = moneyRows(withoutQuietWeekends(days)).map((row) => (
    <Panel key={row.date}>
      <h2>
        {showDay(row.date)} ({weekdayName(row.date)})
      </h2>
      <dl className={css['money']}>
        <Line name="예수금" amount={row.depositAmount} plus={row.depositPlus} />
        <Line name="주식 매입금액" amount={row.stockBuyAmount} plus={row.stockBuyPlus} />
        {row.bankBalanceAmount !== 0 && <Line name="은행 잔고" amount={row.bankBalanceAmount} plus={null} />}
        <Line name="총자산" amount={row.totalMoney} plus={row.totalMoneyPlus} strong />
      </dl>
    </Panel>
  ))
  return <div className={css['days']}>{panels}</div>
}

function Line({
  name,
  amount,
  plus,
  strong = false,
}: {
  name: string
  amount: number
  plus: number | null
  strong?: boolean
}) {
  return (
    <div data-strong={strong}>
      <dt>{name}</dt>
      <dd>
        {won(amount)}
        <span>{plus === null ? '' : <Signed value={plus} mark />}</span>
      </dd>
    </div>
  )
}
