import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { clusterMissing } from './cluster-missing.ts'
import { newFolder } from './new-folder.ts'
import { KINDS } from './plan.ts'
import { runChaos } from './run.ts'

const missing = clusterMissing()
if (missing !== null) process.stderr.write(`SKIPPED: workers that are killed and cut off, because ${missing}\n`)
let folder = ''

describe.skipIf(missing !== null)(
  `workers that are killed and cut off (skipped where: ${missing ?? 'something is missing'})`,
  () => {
    beforeAll(() => (folder = newFolder()))
    afterAll(() => rmSync(folder, { recursive: true, force: true }))

    test('one fault of each kind, overlapping: no order twice, none lost, every book as the exchange has it', async () => {
      const lines: string[] = []
      const result = await runChaos({
        seed: 1,
        faults: KINDS.length,
        mode: 'overlapping',
        short: true,
        size: { accounts: 9, stocks: 3, workers: 3, gateways: 1 },
        folder: join(folder, 'run'),
        print: (line) => lines.push(line),
      })
      // The lines say what came before.
      expect(result.problems.length === 0 ? [] : [...lines, ...result.problems]).toEqual([])
      expect([result.orders > 50, result.fills > 50]).toEqual([true, true])
    }, 240_000)
  },
)
