// `npm run prove -- model`: every order of events in the model of two workers and one lot (simulation/model/fence.pml), with its promises and
// without each. More of what goes wrong: `npm run prove -- model FAULTS=2 TAKEOVERS=3`.
import { checkModel, OLD_RULES, VARIANTS } from '../simulation/model/check-model.ts'
import { findSpin } from '../simulation/model/find-spin.mjs'
import { notRun } from './not-run.ts'

const more = process.argv.slice(2)
const spin = findSpin()
if (spin === null) notRun('no spin or no gcc here: apt-get install spin gcc libc6-dev')
else {
  const variants = [...VARIANTS, ...OLD_RULES]
  let otherwise = 0
  for (const variant of variants) {
    // What is defined first stays.
    const { result, states, steps } = await checkModel(spin, { defines: [...variant.defines, ...more] })
    const how = steps === null ? 'every state' : `broken after ${steps} steps`
    const isAsExpected = result === variant.expected
    console.log(`${isAsExpected ? 'ok  ' : 'FAIL'} ${variant.name}: ${result}, ${states} states, ${how}`)
    if (!isAsExpected) otherwise += 1
  }
  console.log(`${variants.length} models, ${otherwise} otherwise than expected`)
  if (otherwise > 0) process.exitCode = 1
}
