import { readFileSync } from 'node:fs'

const UPTIME = '/proc/uptime'

/**
 * Ms since this machine was started, a hundredth of a second exact. Goes on while the machine is suspended and the
 * process stopped; nobody can set it. Elsewhere than on Linux it is the process' own even clock, which a suspension stops.
 */
export const bootNow: () => number = hasUptime() ? readUptime : () => performance.now()

function readUptime(): number {
  const text = readFileSync(UPTIME, 'latin1')
  return Math.round(Number(text.slice(0, text.indexOf(' '))) * 1_000)
}

function hasUptime(): boolean {
  try {
    return readUptime() > 0
  } catch {
    return false
  }
}
