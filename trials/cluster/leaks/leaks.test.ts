import { describe, expect, test } from 'vitest'
import { recordedBytes, readRecord } from './bus-record.ts'
import { tokensIn } from './known-secrets.ts'
import { searchBus, searchDatabase } from './leaks.ts'
import { type Secret, SecretSearch } from './secret-search.ts'

const KEY: Secret = {
  kind: 'data key',
  bytes: Buffer.from('9f1c00e7d8a35b4466fe0b7780c1d2aaf39b81ee50d7423c60a9fb3d7e1c0245', 'hex'),
}
const PASSWORD: Secret = { kind: 'password', bytes: Buffer.from('a+pass/word of-1') }
const SIGN: Secret = { kind: 'sign', bytes: Buffer.from('something that is there') }
const SECRETS = [KEY, PASSWORD, SIGN]

/** As it stands inside something else, `before` bytes after its beginning. */
const inside = ({ bytes }: Secret, before: number): Buffer =>
  Buffer.concat([Buffer.alloc(before, 0x5a), bytes, Buffer.from('and more')])

const WAYS: [string, (secret: Secret) => string | Buffer][] = [
  ['plain', (secret) => inside(secret, 3)],
  ['hex', (secret) => inside(secret, 1).toString('hex')],
  ['hex', (secret) => inside(secret, 1).toString('hex').toUpperCase()],
  ['base64', (secret) => inside(secret, 0).toString('base64')],
  ['base64', (secret) => inside(secret, 1).toString('base64')],
  ['base64', (secret) => inside(secret, 2).toString('base64')],
  ['base64url', (secret) => inside(secret, 0).toString('base64url')],
  ['percent', (secret) => encodeURIComponent(inside(secret, 0).toString('base64'))],
]

async function* pieces(all: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let from = 0; from < all.length; from += size) yield all.subarray(from, from + size)
}

const insert = (table: string, ...values: (string | Buffer)[]): Buffer =>
  Buffer.concat([`INSERT INTO public.${table} VALUES (`, ...values, ');\n'].map((part) => Buffer.from(part)))

describe.each(WAYS)('a secret in %s', (encoding, encode) => {
  test('is found in a dump, wherever a piece of it ends, with its table', async () => {
    const dump = Buffer.concat([
      insert('users', SIGN.bytes),
      insert('audit', "'", encode(KEY), "'"),
      insert('trade', '12, 34'),
    ])
    for (const size of [1, 7, 64, 100, dump.length]) {
      const { rows, problems } = await searchDatabase(pieces(dump, size), SECRETS, 3)
      expect([rows, problems]).toEqual([3, [`SECRET: data key, ${encoding}, in the database, audit: 1 ×`]])
    }
  })

  test('is found on the bus, with the kind of message', async () => {
    const record = Buffer.concat([
      recordedBytes('trial.sign', SIGN.bytes),
      recordedBytes('call.w1', Buffer.from(encode(KEY))),
      recordedBytes('call.w2', Buffer.from(encode(KEY))),
    ])
    for (const size of [1, 50, record.length]) {
      const { messages, problems } = await searchBus(readRecord(pieces(record, size)), SECRETS)
      expect([messages, problems]).toEqual([2, [`SECRET: data key, ${encoding}, in a message of the bus to call: 2 ×`]])
    }
  })
})

test('letters that an address escapes are found escaped, and in a subject', async () => {
  const record = [
    recordedBytes('trial.sign', SIGN.bytes),
    recordedBytes(`a.${encodeURIComponent(PASSWORD.bytes.toString())}`, Buffer.alloc(0)),
  ]
  const { problems } = await searchBus(readRecord(pieces(Buffer.concat(record), 64)), SECRETS)
  expect(problems).toEqual(['SECRET: password, percent, in a subject of the bus: 1 ×'])
})

test('nothing is found in what is like a secret, and no problem names one', async () => {
  const like = Buffer.from(KEY.bytes)
  like[31] = 0
  const dump = [insert('users', SIGN.bytes), insert('audit', like.toString('hex')), insert('audit', like)]
  expect(await searchDatabase(pieces(Buffer.concat(dump), 40), SECRETS, 3)).toEqual({ rows: 3, problems: [] })
})

test('a dump or a record with next to nothing in it proves nothing', async () => {
  const nothing = await searchDatabase(pieces(Buffer.alloc(0), 1), SECRETS, 1)
  expect(nothing.problems).toEqual([
    'not even what stands in the database was found there: the search proves nothing',
    'next to nothing of the database was there to be searched',
  ])
  const alone = await searchBus(readRecord(pieces(recordedBytes('trial.sign', SIGN.bytes), 9)), SECRETS)
  expect(alone).toEqual({ messages: 0, problems: ['next to nothing of the bus was there to be searched'] })
})

test('a record that breaks off is not taken for a whole one', async () => {
  const record = recordedBytes('call.w1', Buffer.from('data')).subarray(0, -1)
  await expect(searchBus(readRecord(pieces(record, 5)), SECRETS)).rejects.toThrow('breaks off')
})

test('what is too short to be told from chance is not looked for in silence', () => {
  expect(() => new SecretSearch([{ kind: 'name', bytes: Buffer.from('demo01') }])).toThrow('6 bytes is too short')
})

test('hundreds of secrets with the same beginning are told apart', () => {
  const tokens = Array.from({ length: 400 }, (_, n) => ({
    kind: `token ${n}`,
    bytes: Buffer.from(`eyJ0eXAiOiJKV1QiLCJhbGciOiJIUzUxMiJ9.${n}.`),
  }))
  const found = [...new SecretSearch(tokens).find(Buffer.from(`x${tokens[123]?.bytes.toString()}y`))]
  expect(found).toEqual([{ kind: 'token 123', encoding: 'plain', at: 1 }])
})

test('of a browser’s cookies the tokens are secrets, the hints for the page are not', () => {
  const cookies = '__Host-digger_session=abc; email=a%40b.c; digger_device=def; userId=u1'
  expect(tokensIn(cookies).map(({ kind, bytes }) => [kind, bytes.toString()])).toEqual([
    ['session token', 'abc'],
    ['device token', 'def'],
  ])
})
