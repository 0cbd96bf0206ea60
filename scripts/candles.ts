/**
 * `npm run prove -- candles <file.csv.gz> [more files] [--unbound CODE,…]`: tick and limit rules against real daily candles. Fails
 * when too few agree.
 */
import { parseArgs } from 'node:util'
import { checkCandles, joined, readCandles, type OutsideDay } from './candle-check.ts'

/** Midpoint orders execute off the grid, so all values never agree; real months show about 0.14 % of them. */
const MIN_SHARE_ON_GRID = 0.998
const USAGE = `usage: npm run prove -- candles <daily-candles.csv.gz> [the days after it …] [--unbound CODE,…]
  --unbound  codes in liquidation trading since before the first day; an earlier file before this one shows them, too`

const { values, positionals } = parseArgs({ allowPositionals: true, options: { unbound: { type: 'string' } } })
if (positionals.length === 0) {
  console.error(USAGE)
  process.exit(2)
}

const report = checkCandles(joined(positionals.map(readCandles)), new Set(values.unbound?.split(',')))
const share = report.onGrid / report.values
const line = ({ candle: c, base, band, why }: OutsideDay) =>
  `  ${c.date} ${c.code} ${c.name} (${c.market}): base ${base}, limits ${band.lower}–${band.upper}, ` +
  `open ${c.open} high ${c.high} low ${c.low} close ${c.close}: ${why}`

console.log(
  `${report.candles} candles, ${report.values} prices: ${report.onGrid} on the grid (${(share * 100).toFixed(3)} %)`,
)
for (const { candle, price } of report.offGrid)
  console.log(`  ${candle.date} ${candle.code} ${candle.name}: ${price} off the grid`)
console.log(`${report.listings.length} listings without a previous close, not judged by limits`)
for (const c of report.listings)
  console.log(`  ${c.date} ${c.code} ${c.name}: open ${c.open} high ${c.high} low ${c.low}`)
console.log(
  `${report.judgedDays} days judged by limits: ${report.touchedLimit} touched one exactly, ${report.outside.length} lie outside`,
)
for (const day of report.outside) console.log(line(day))

const unexplained = report.outside.filter((day) => day.why === 'unexplained').length
console.log(
  `on the grid ${(share * 100).toFixed(3)} % (at least ${MIN_SHARE_ON_GRID * 100} %), unexplained days ${unexplained} (none allowed)`,
)
if (unexplained > 0) console.log(`a code in liquidation trading since before the first day has no limits:\n${USAGE}`)
if (!(share >= MIN_SHARE_ON_GRID) || unexplained > 0) process.exit(1)
