/** `npm run prove -- crash [--kills 20] [--terms 3] [--seed N] [--folder DIR]`: kill -9 at random moments, and nothing is lost. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { crash, type CrashResult } from './crash.ts'

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '20' },
    terms: { type: 'string', default: '3' },
    seed: { type: 'string', default: '1' },
    folder: { type: 'string' },
  },
})
const folder = values.folder ?? mkdtempSync(join(tmpdir(), 'digger-crash-'))
const print = (line: string): void => void process.stdout.write(`${line}\n`)

const seconds = (ms: number | undefined): string => `${((ms ?? 0) / 1000).toFixed(1)} s`

function figures({ audits, acknowledged, killedEarly, armedMs, counted }: CrashResult): string[] {
  const sum = (of: (one: CrashResult['audits'][number]) => number) => audits.reduce((total, one) => total + of(one), 0)
  const times = armedMs.toSorted((a, b) => a - b)
  return [
    `${values.kills} kills (${killedEarly} of them while starting), ${values.terms} graceful ends`,
    `${sum((one) => one.orders)} orders, ${sum((one) => one.fills)} fills, ${acknowledged} requests confirmed`,
    `${sum((one) => one.lost)} orders without a verdict: ${sum((one) => one.found)} found at the broker, ${sum((one) => one.notPlaced)} never placed`,
    `from start to armed: median ${seconds(times[times.length >> 1])}, longest ${seconds(times.at(-1))}, ${times.length} times`,
    ...counted,
  ]
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
const began = performance.now()
try {
  const result = await crash({
    kills: Number(values.kills),
    terms: Number(values.terms),
    seed: Number(values.seed),
    folder,
    print,
  })
  figures(result).forEach(print)
  print(`took ${((performance.now() - began) / 1000).toFixed(0)} s`)
  if (result.problems.length === 0) {
    print(
      'nothing lost, nothing twice: every confirmed request, order and fill is in the book once, to the share and the won',
    )
    if (values.folder === undefined) rmSync(folder, { recursive: true, force: true })
  } else {
    print(`${result.problems.length} problems (data and logs in ${folder}):`)
    for (const problem of result.problems) print(`  ${problem}`)
    process.exitCode = 1
  }
} catch (error) {
  print(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\nlogs in ${folder}`)
  process.exitCode = 1
}
