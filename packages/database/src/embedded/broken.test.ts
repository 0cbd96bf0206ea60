import { expect, test } from 'vitest'
import { brokenBy } from './broken.ts'

function message(type: string, body: string): Buffer {
  const head = Buffer.alloc(5)
  head.write(type)
  head.writeUInt32BE(4 + Buffer.byteLength(body), 1)
  return Buffer.concat([head, Buffer.from(body)])
}

const error = (severity: string, code: string, text: string): Buffer =>
  message('E', `S${severity}\0V${severity}\0C${code}\0M${text}\0\0`)

const done = message('C', 'INSERT 0 1\0')
const ready = message('Z', 'I')

test.each<[string, Buffer, 'disk' | 'inside' | null]>([
  ['a full disk', error('ERROR', '53100', 'could not extend file "base/5/1": No space left on device'), 'disk'],
  ['a disk that fails', error('ERROR', '58030', 'could not fsync file'), 'disk'],
  ['an error inside', error('ERROR', 'XX000', 'XLogBeginInsert was already called'), 'inside'],
  ['an index in pieces', error('ERROR', 'XX002', 'index corrupted'), 'inside'],
  ['a panic', error('PANIC', '42P01', 'whatever it was'), 'inside'],
  ['a row that a rule of ours refuses', error('ERROR', '23505', 'duplicate key: 53100'), null],
  ['a trigger of ours', error('ERROR', 'P0001', 'XX000'), null],
  ['no error at all', message('D', 'E53100\0C53100\0'), null],
])('%s, between other messages: %s', (_name, one, expected) => {
  expect(brokenBy(Buffer.concat([done, one, ready]))).toBe(expected)
  expect(brokenBy(one)).toBe(expected)
})

test('an empty buffer and half a message report no error', () => {
  expect(brokenBy(Buffer.alloc(0))).toBe(null)
  expect(brokenBy(done.subarray(0, 4))).toBe(null)
})
