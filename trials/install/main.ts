/**
 * `npm run prove -- install` (root, Debian 12): a bare Debian is made in a folder and booted with its own systemd; in it only the commands of
 * docs/install.md are typed. Paper environment against the pretend KIS: sign-up through Caddy, an order, a power cut, upgrade, roll-back.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openAt } from './exchange-day.ts'
import { asThisMachine, bareSystem, Machine, NEEDS } from './machine.ts'
import { Record } from './record.ts'
import { broken, oldest, reboot, upgrade } from './moves.ts'
import { begin, follow, kept, placeBroker, signLocally, trialOf, writeAnswers } from './walk.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const home = mkdtempSync(join(tmpdir(), 'digger-install-'))
const log = join(tmpdir(), 'digger-install-trial.log')
rmSync(log, { force: true })
const record = new Record(log)
/** After the installation; words of the command leave out the others. */
const PARTS = { reboot, upgrade, broken, oldest }
const wanted = process.argv.slice(2)

function assertNeeds(): void {
  if (process.getuid?.() !== 0) throw new Error('the trial needs root: it makes namespaces and boots a machine')
  for (const [program, from] of Object.entries(NEEDS)) {
    try {
      execFileSync('which', [program])
    } catch {
      throw new Error(`${program} is missing: apt-get install -y ${from}`)
    }
  }
}

async function walk(): Promise<void> {
  const repository = join(home, 'repository.git')
  execFileSync('git', ['clone', '--quiet', '--bare', ROOT, repository])
  const root = join(home, 'machine')
  const binds = [`${ROOT}:/trial/project`, `${repository}:/trial/repository.git`]
  await using machine = new Machine(root, `${log}.console`, binds)
  const trial = trialOf(machine, record, ROOT, openAt(Date.now()))
  await record.step('debootstrap (kept for the next time)', async () => {
    bareSystem(root)
    asThisMachine(root)
    machine.connect()
    return 'Debian 12, nothing of ours'
  })
  await record.step('boot', async () => {
    await machine.boot()
    return machine.command('systemctl --version | head -n 1')
  })
  record.heading('From nothing to running, by the page')
  await follow(trial, 'install')
  placeBroker(trial)
  writeAnswers(trial)
  await record.step('(trial only) the pretend KIS', () =>
    machine.command(
      'apt-get install -y -qq --no-install-recommends libfaketime >/dev/null && systemctl enable -q --now pretend-kis && echo on',
    ),
  )
  await follow(trial, 'setup', (line) => line.replace(/^digger setup$/, '$& --answers /var/tmp/answers'))
  await follow(trial, 'start')
  await signLocally(trial)
  await begin(trial)
  await follow(trial, 'look')
  await kept(trial)
  for (const [name, part] of Object.entries(PARTS))
    if (wanted.length === 0 || wanted.includes(name)) await part(trial, repository)
}

assertNeeds()
try {
  await walk()
  process.stdout.write(`\nall of it: ${Math.round(record.seconds)} s; log: ${log}\n`)
} catch {
  // It was written down where it happened.
  process.exitCode = 1
} finally {
  rmSync(home, { recursive: true, force: true })
}
