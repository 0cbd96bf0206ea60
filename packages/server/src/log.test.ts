import { expect, test } from 'vitest'
import { createLogger } from './log.ts'

const lines: string[] = []
const logger = createLogger('info', { write: (line) => void lines.push(line) })

test('somebody who leaves in the middle of a reply is no error; other errors are', () => {
  logger.error(new Error('premature close'))
  expect(lines).toEqual([])
  logger.error(new Error('disk full'))
  expect(lines.map((line) => [JSON.parse(line).level, JSON.parse(line).err.message])).toEqual([[50, 'disk full']])
})

test('whatever a caller sends is one line, and what is secret by its name is not in it', () => {
  lines.length = 0
  const forged = 'x\r\n{"level":50,"msg":"forged"}\u001b[31m\u2028'
  logger.info({ url: forged, password: '열쇠', body: { appSecret: '열쇠', token: '열쇠' } }, forged)
  expect(lines).toHaveLength(1)
  const [line = ''] = lines
  for (const sign of ['\r', '\n', '\u001b']) expect(line.trimEnd()).not.toContain(sign)
  expect(JSON.parse(line)).toMatchObject({ url: forged, msg: forged, password: '(가림)' })
  expect(line).not.toContain('열쇠')
})
