import { FAULTS, type FaultName } from './faults/all.ts'
import { PRESSES, type PressName } from './people/presses.ts'
import { makePlan } from './plan.ts'

export const FAULT_NAMES = Object.keys(FAULTS).filter((name): name is FaultName => name in FAULTS)
const PRESS_NAMES = Object.keys(PRESSES).filter((name): name is PressName => name in PRESSES)

/** Every kind, and in how many plans of some seeds it is: what chance makes of the weights. */
export function kindLines(first: number, seeds: number): string[] {
  const plans = Array.from({ length: seeds }, (_, index) => makePlan(first + index))
  const plansWith = (list: 'faults' | 'presses', name: string): number =>
    plans.filter((plan) => plan[list].some((one) => one.name === name)).length
  return [
    ...FAULT_NAMES.map((name) => {
      const { weight, lasts } = FAULTS[name]
      return `fault ${name.padEnd(20)} weight ${weight}, ${lasts.join('–')} ms, in ${plansWith('faults', name)} of ${seeds}`
    }),
    ...PRESS_NAMES.map(
      (name) => `press ${name.padEnd(20)} weight ${PRESSES[name].weight}, in ${plansWith('presses', name)} of ${seeds}`,
    ),
  ]
}
