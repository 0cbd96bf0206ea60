import { spawnSync } from 'node:child_process'
import type { Sim } from '@digger/kis-sim'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { KIS_HOSTS } from '../../src/index.ts'
import { KEYS, ME, run, tradingBroker } from './fixture.ts'
import { credentialsOf, masked, runPaper } from './run.ts'

let sim: Sim
beforeEach(async () => {
  sim = await tradingBroker()
})
afterEach(() => sim.close())

describe('without being asked', () => {
  test.each([
    ['no flag', KEYS, /KIS_PAPER=1/],
    ['another value', { ...KEYS, KIS_PAPER: 'yes' }, /KIS_PAPER=1/],
    [
      'no keys',
      { KIS_PAPER: '1' },
      /^Nothing done: KIS_APP_KEY, KIS_APP_SECRET, KIS_ACCOUNT of a paper account are not set\.$/,
    ],
    [
      'a part of them',
      { ...KEYS, KIS_PAPER: '1', KIS_ACCOUNT: '' },
      /^Nothing done: KIS_ACCOUNT of a paper account is not set\.$/,
    ],
    ['orders alone', { ...KEYS, KIS_PAPER_ORDERS: '1' }, /KIS_PAPER=1/],
  ])('%s: it does nothing, and says so in one line', async (_name, env, says) => {
    const lines: string[] = []
    expect(
      await runPaper({ env: { ...env, KIS_REST_URL: sim.url }, write: (line) => void lines.push(line) }),
    ).toBeNull()
    expect(lines).toEqual([expect.stringMatching(says)])
    expect([...sim.broker.calls.keys()]).toEqual([])
    expect(sim.issuedKeys().tokens).toEqual([])
  })

  test('the command itself: nothing, said plainly, and it is neither passed nor failed', () => {
    const main = new URL('main.ts', import.meta.url).pathname
    const { status, stdout, stderr } = spawnSync(process.execPath, [main], { env: {}, encoding: 'utf8' })
    expect(stdout).toMatch(/^Nothing done: .*KIS_PAPER=1.*\nNOT RUN: .*\n$/)
    expect([status, stderr]).toEqual([77, ''])
  })
})

describe('what opens the account is never written', () => {
  test('not where the broker quotes what it was sent', async () => {
    const text = `no ${ME.accountNumber} nor ${ME.accountNumber.slice(0, 8)}-01, ${ME.appKey}, ${ME.appSecret}, ${ME.htsId}`
    sim.faults.add({ kind: 'refuse', code: '90070000', text, endpoint: 'balance' })
    const { lines } = await run(sim, { env: { KIS_APP_KEY: ME.appKey } })
    const all = lines.join('\n')
    expect(all).toContain('failed    balance: RefusedError: no *** nor ***-01, ***, ***, ***')
    for (const secret of [...Object.values(ME), ME.accountNumber.slice(0, 8), ...sim.issuedKeys().tokens])
      expect(all).not.toContain(secret)
  })

  test('nor tokens', () => {
    const token = { token: 'eyJ0', issuedAt: 0, expiresAt: 1 }
    expect(masked('bearer eyJ0', { ...ME, htsId: '' }, [token])).toBe('bearer ***')
  })

  test('an account is one in each of its spellings', () => {
    const dashed = { ...ME, accountNumber: '12345678-01' }
    expect(masked('12345678-01, 1234567801, CANO 12345678', dashed, [])).toBe('***, ***, CANO ***')
  })
})

test('unless told otherwise it is the broker’s paper host', () => {
  expect(credentialsOf({ ...KEYS, KIS_PAPER: '1' })).toEqual(ME)
  expect(KIS_HOSTS.paper.rest).toContain('openapivts')
})
