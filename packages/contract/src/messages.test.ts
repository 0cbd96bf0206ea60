import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { asSentence, fieldMessage } from './messages.ts'

test.each([
  ['주문이 불가한 계좌입니다', '주문이 불가한 계좌입니다.'],
  [' 주문이 불가한 계좌입니다. ', '주문이 불가한 계좌입니다.'],
  ['장운영시간이 아닙니다.(주문불가)', '장운영시간이 아닙니다.(주문불가)'],
  ['정말인가요?', '정말인가요?'],
])('"%s" reads "%s"', (message, sentence) => expect(asSentence(message)).toBe(sentence))

const messageFor = (schema: z.ZodType, value: unknown) =>
  schema.safeParse(value, { error: fieldMessage }).error?.issues[0]?.message

describe('a field that does not fit', () => {
  const Field = z.object({ value: z.union([z.number(), z.string(), z.boolean()]).optional() })
  test.each([
    ['missing', z.string(), undefined, '값을 넣어 주세요.'],
    ['null', z.number(), null, '값을 넣어 주세요.'],
    ['a text for a number', z.number(), 'many', '숫자로 넣어 주세요.'],
    ['a fraction for a whole number', z.int(), 1.5, '정수로 넣어 주세요.'],
    ['a number for a text', z.string(), 1, '글자로 넣어 주세요.'],
    ['a text for yes or no', z.boolean(), 'yes', 'true나 false로 넣어 주세요.'],
    ['none of a choice', z.enum(['BUY', 'SELL']), 'HOLD', 'BUY, SELL 가운데 하나로 넣어 주세요.'],
    ['too small', z.number().min(3), 2, '3 이상으로 넣어 주세요.'],
    ['too large', z.number().max(3), 4, '3 이하로 넣어 주세요.'],
    ['too short', z.string().min(8), 'short', '8자 이상으로 넣어 주세요.'],
    ['too long', z.string().max(3), 'long', '3자 이하로 넣어 주세요.'],
    ['of another form', z.string().regex(/^\d+$/), 'x', '형식이 맞지 않습니다. 다시 확인해 주세요.'],
    ['a list', z.object({}), [], '형식이 맞지 않습니다. 다시 확인해 주세요.'],
  ])('%s', (_what, schema, value, message) => expect(messageFor(schema, value)).toBe(message))

  test('one that fits has no message', () => expect(messageFor(Field, { value: 1 })).toBeUndefined())
})
