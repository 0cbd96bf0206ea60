/**
 * `npm run prove -- altered [--seeds 200] [--first 1]`: one field of one reply removed or altered, at random; the doctor must name
 * it. Fails where it does not, but for values that no reading can check.
 */
import { parseArgs } from 'node:util'
import { ordersAtExchange } from '../fixture.ts'
import { AlteredRuns } from './runs.ts'

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { seeds: { type: 'string' }, first: { type: 'string' } } })
  const [first, seeds] = [Number(values.first ?? 1), Number(values.seeds ?? 200)]
  await using runs = await AlteredRuns.start()
  const before = ordersAtExchange(runs.sim)
  const counts = { named: 0, unchecked: 0, missed: 0 }
  for (let seed = first; seed < first + seeds; seed += 1) {
    const { call, field, alteration, isNamed, unchecked } = await runs.run(seed)
    counts[isNamed ? 'named' : unchecked === null ? 'missed' : 'unchecked'] += 1
    if (!isNamed)
      process.stdout.write(`seed ${seed}: ${call} ${field} ${alteration.kind}: ${unchecked ?? 'NOT NAMED'}\n`)
  }
  const orders = ordersAtExchange(runs.sim) - before
  process.stdout.write(
    `${seeds} seeds: ${counts.named} named, ${counts.unchecked} that no reading can check, ${counts.missed} missed; ${orders} orders\n`,
  )
  if (counts.named === 0) process.stdout.write('nothing was named: this proves nothing\n')
  if (counts.named === 0 || counts.missed + orders + runs.proxy.posts.length > 0) process.exitCode = 1
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`)
  process.exitCode = 1
})
