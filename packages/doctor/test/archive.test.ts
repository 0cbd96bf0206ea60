import { afterEach, expect, test } from 'vitest'
import type { Sim } from '@digger/kis-sim'
import { compareShapes, examine, filed, type FiledReply } from '../src/index.ts'
import { brokerOf, clientOf, examinerOf, makeHistory, ME } from './fixture.ts'

let sim: Sim
afterEach(() => sim.close())

async function archive(): Promise<(readonly [string, FiledReply])[]> {
  sim = await brokerOf({ accounts: [{ credentials: ME, cash: 100_000_000, ownerName: '김주인' }] })
  await makeHistory(sim)
  const { rest, close } = clientOf(sim)
  const examiner = examinerOf(sim, rest)
  await examine(examiner)
  await close()
  return filed(examiner.replies, examiner.times, ME)
}

test('a file says how the broker answers and nothing of whose account it is', async () => {
  const files = await archive()
  expect(files.length).toBeGreaterThan(25)
  const text = JSON.stringify(files)
  const secrets = [
    ME.accountNumber,
    ME.accountNumber.slice(0, 8),
    ME.appKey,
    ME.appSecret,
    ME.htsId,
    '김주인',
    '127.0.0.1',
  ]
  expect(secrets.filter((secret) => text.includes(secret))).toEqual([])
})

test('an order has the same stand-in in every reply, written as it was', async () => {
  const rows = (await archive()).flatMap(([, { body }]) => rowsOf(body))
  const cancelled = rows.filter(({ orgn_odno }) => Number(orgn_odno) > 0)
  const numbers = new Set(rows.map(({ odno }) => odno))
  expect(cancelled.length).toBeGreaterThan(0)
  expect(cancelled.every(({ orgn_odno }) => numbers.has(orgn_odno))).toBe(true)
  expect([...numbers].every((number) => /^\d{10}$/.test(number ?? ''))).toBe(true)
})

type Order = { readonly odno?: string; readonly orgn_odno?: string }

function rowsOf(body: unknown): Order[] {
  const rows: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, 'output1') : null
  return Array.isArray(rows)
    ? rows.filter((row: unknown): row is Order => typeof row === 'object' && row !== null && 'odno' in row)
    : []
}

test('two runs of the same broker have the same shape; a field that is gone or of another form is named', async () => {
  const first = (await archive()).map(([, reply]) => reply)
  expect(compareShapes(first, first)).toEqual([])
  const other = first.map((reply) =>
    reply.call === 'inquire-price'
      ? {
          ...reply,
          body: JSON.parse(
            JSON.stringify(reply.body)
              .replace(/"per":"[^"]*"/, '"per":"n/a"')
              .replace(/"eps":/, '"eps2":'),
          ),
        }
      : reply,
  )
  const differences = compareShapes(first, other).map(({ call, field, what }) => `${call} ${field}: ${what}`)
  expect(differences).toContain('inquire-price output.eps2: only in the second')
})
