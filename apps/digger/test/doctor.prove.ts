import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { demoCredentials, startSim } from '@digger/kis-sim'
import { expect, onTestFinished, test } from 'vitest'
import { doctor } from '../src/doctor/doctor.ts'

// Some twenty seconds.
test('at the pace of a real account its broker refuses it nothing', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'doctor-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const me = demoCredentials(0)
  const sim = await startSim({ port: 0, latency: 'none', accounts: [{ credentials: me, cash: 1_000_000 }] })
  onTestFinished(() => sim.close())
  const { appKey, appSecret, accountNumber, htsId } = me
  const keys = { KIS_APP_KEY: appKey, KIS_APP_SECRET: appSecret, KIS_ACCOUNT: accountNumber, KIS_HTS_ID: htsId }
  const out: string[] = []
  const write = { out: (line: string) => void out.push(line), err: () => undefined }
  const env = { ...keys, DATA_DIR: folder, SIM_PORT: String(sim.port), SIM_HOURS: 'krx' }
  const code = await doctor(['--token'], env, write)
  expect([code, out.filter((line) => line.startsWith('[다릅니다'))]).toEqual([0, []])
  expect(sim.traffic.tooMany + sim.traffic.ledgerBusy).toBe(0)
}, 90_000)
