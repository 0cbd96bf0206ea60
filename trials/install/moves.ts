import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { armed, begin, follow, kept, type Trial } from './walk.ts'

/** The first version that landed: the oldest whose rows every later one must open (packages/server/test/kept-data). */
const OLDEST = '918d5e72'

/** The power goes, and comes back: nothing is started but what the machine starts by itself. */
export async function reboot(trial: Trial): Promise<void> {
  const { machine, record } = trial
  record.heading('The power is cut, and the machine starts again')
  await record.step('power cut, boot', async () => {
    await machine.cutPower()
    await machine.boot()
    return machine.command('systemctl is-active digger postgresql caddy').then((lines) => lines.replaceAll('\n', ' '))
  })
  await kept(trial)
  await record.step('orderly reboot', async () => {
    await machine.powerOff()
    await machine.boot()
    return machine.command('systemctl is-active digger postgresql caddy').then((lines) => lines.replaceAll('\n', ' '))
  })
  await kept(trial)
}

/** A commit on top of what is in the repository that the machine was installed from. */
function publish(repository: string, title: string, change: (folder: string) => void): void {
  const folder = mkdtempSync(join(tmpdir(), 'digger-next-'))
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-C', folder, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  try {
    execFileSync('git', ['clone', '--quiet', repository, folder])
    change(folder)
    git('-c', 'user.name=trial', '-c', 'user.email=trial@example.com', 'commit', '--quiet', '-am', title)
    git('push', '--quiet', 'origin', 'HEAD')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const release = ({ machine }: Trial): Promise<string> => machine.command('basename $(readlink /opt/digger/current)')

export async function upgrade(trial: Trial, repository: string): Promise<void> {
  const { record } = trial
  record.heading('Upgrade to the next version, and back: the tables are the same')
  publish(repository, 'The next version', (folder) => appendFileSync(join(folder, 'README.md'), '\n'))
  const first = await release(trial)
  await follow(trial, 'upgrade')
  await record.step('another release runs', async () => {
    const now = await release(trial)
    if (now === first) throw new Error(`still ${now}`)
    return now
  })
  await kept(trial)
  await follow(trial, 'rollback')
  await record.step('the first release runs', async () => {
    const now = await release(trial)
    if (now !== first) throw new Error(`${now}, not ${first}`)
    return now
  })
  await kept(trial)
}

/** A version that ends at once. */
export async function broken(trial: Trial, repository: string): Promise<void> {
  const { machine, record } = trial
  record.heading('A version that does not start')
  const first = await release(trial)
  publish(repository, 'A version that ends at once', (folder) =>
    writeFileSync(join(folder, 'apps/digger/src/main.ts'), "throw new Error('a version that does not start')\n"),
  )
  await record.step('# digger upgrade (must go back by itself)', async () => {
    const { code, output } = await machine.attempt('digger upgrade')
    const now = await release(trial)
    if (code === 0 || now !== first) throw new Error(`ended with ${code}, runs ${now}: ${output}`)
    return `exit ${code}; ${now} runs; ${output.split('\n').at(-1)}`
  })
  await kept(trial)
}

/** From the first version that landed to this one, and back. */
export async function oldest(trial: Trial): Promise<void> {
  const { machine, record } = trial
  const head = await machine.command('git -C /opt/digger-source rev-parse HEAD')
  record.heading('The first version that landed, upgraded to this one, and back')
  await record.step('(trial only) a machine of then: empty database, that release', () =>
    machine.command(`systemctl stop digger && runuser -u postgres -- dropdb digger && runuser -u postgres -- createdb --owner=digger digger
      bash -ec '. /opt/digger/install/steps.sh; umask 022; name=$(release_name /opt/digger-source ${OLDEST}); place_release /opt/digger-source ${OLDEST} $name; point current $name; echo $name' &&
      systemctl stop pretend-kis && rm -rf /var/lib/pretend-kis/* && systemctl start pretend-kis && systemctl start digger`),
  )
  await begin(trial)
  await kept(trial)
  await record.step(
    `# digger upgrade ${head.slice(0, 8)}`,
    async () => (await machine.command(`digger upgrade ${head}`)).split('\n').at(-1) ?? '',
  )
  await kept(trial)
  await record.step('# digger rollback (must say what would be lost)', async () => {
    const { code, output } = await machine.attempt('digger rollback')
    if (code === 0 || !output.includes('--lose-since')) throw new Error(`ended with ${code}: ${output}`)
    return output.split('\n').slice(-3).join(' · ')
  })
  await record.step('the new version goes on', () => armed(trial))
  await record.step(
    '# digger rollback --lose-since',
    async () => (await machine.command('digger rollback --lose-since')).split('\n').at(-1) ?? '',
  )
  await kept(trial)
}
