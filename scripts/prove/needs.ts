import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { findNats } from '../../packages/cluster/test/find-nats.mjs'
import { findSpin } from '../../simulation/model/find-spin.mjs'
import { findChromium, findPostgres } from '../programs/programs.mjs'
import { ROOT } from '../sources.ts'
import type { Judge, Need } from './judge.ts'

const onPath = (program: string): boolean =>
  (process.env['PATH'] ?? '').split(':').some((folder) => folder !== '' && existsSync(`${folder}/${program}`))

/** What judges need of the machine, and the packages of Debian that have it; null: nothing to install gives it. */
const NEEDS: Readonly<Record<Need, { isHere: () => boolean; debian: string | null }>> = {
  Chromium: { isHere: () => findChromium() !== null, debian: 'chromium' },
  PostgreSQL: { isHere: () => findPostgres() !== null, debian: 'postgresql' },
  NATS: { isHere: () => findNats() !== null, debian: 'nats-server' },
  // Its searches are C.
  Spin: { isHere: () => findSpin() !== null, debian: 'spin gcc libc6-dev' },
  pg_dump: { isHere: () => onPath('pg_dump'), debian: 'postgresql-client' },
  root: { isHere: () => process.getuid?.() === 0, debian: null },
  debootstrap: {
    isHere: () => ['debootstrap', 'systemd-nspawn', 'slirp4netns'].every(onPath),
    debian: 'debootstrap systemd-container slirp4netns',
  },
  'KRX candles': { isHere: () => existsSync(`${ROOT}/../shared/data`), debian: null },
}

export const missingFor = ({ needs = [] }: Judge): Need[] => needs.filter((need) => !NEEDS[need].isHere())

let updated = false
/** Where that is possible, and somebody said so (--install). What fails is missing afterwards. */
export function install(judge: Judge, print: (line: string) => void): void {
  const packages = missingFor(judge).flatMap((need) => NEEDS[need].debian?.split(' ') ?? [])
  if (packages.length === 0 || process.getuid?.() !== 0 || !existsSync('/etc/debian_version')) return
  print(`apt-get install ${packages.join(' ')}, for ${judge.name}`)
  if (!updated) updated = spawnSync('apt-get', ['-q', 'update'], { stdio: 'ignore' }).status === 0
  try {
    execFileSync('apt-get', ['-q', 'install', '-y', '--no-install-recommends', ...packages], { stdio: 'ignore' })
  } catch {
    print(`apt-get failed`)
  }
}
