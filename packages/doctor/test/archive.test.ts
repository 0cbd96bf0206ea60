import { afterEach, expect, test } from 'vitest'
import type { Sim } from '@digger/kis-sim'
import { compareShapes, examine, filed, type FiledReply, type ReplyPair } from '../src/index.ts'
import { altered, fieldOf, type Kind, sitesOf } from './altered/alteration.ts'
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

type Files = Awaited<ReturnType<typeof archive>>

/** Each reply beside another one to the same question. */
const beside = (files: Files, other: (reply: FiledReply) => FiledReply | null): ReplyPair[] =>
  files.map(([, pretended]) => ({ archived: other(pretended) ?? pretended, pretended }))

test('the same broker has the same shape', async () => {
  const files = await archive()
  const { differences, repliesAlike, fieldsAlike } = compareShapes(beside(files, () => null))
  expect(differences).toEqual([])
  expect(repliesAlike).toBe(files.length)
  expect(fieldsAlike).toBeGreaterThan(400)
})

test.each<[Kind, number]>([
  ['removed', 1_500],
  ['otherType', 1_500],
  ['otherForm', 1_000],
  ['unexpected', 1_500],
])('each field of each reply is named when it is altered: %s', async (kind, least) => {
  const files = await archive()
  const missed: string[] = []
  let tried = 0
  for (const [, pretended] of files)
    for (const site of sitesOf(pretended.body)) {
      const body = altered(pretended.body, { site, kind })
      if (body === null) continue
      tried += 1
      const { differences } = compareShapes([{ archived: { ...pretended, body }, pretended }])
      const field = fieldOf({ site, kind })
      if (!differences.some((one) => one.field.split('.').at(-1) === field || field === 'rt_cd'))
        missed.push(`${pretended.call} ${site.join('.')}`)
    }
  expect(missed).toEqual([])
  expect(tried).toBeGreaterThan(least)
})
