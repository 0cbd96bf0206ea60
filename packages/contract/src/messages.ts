import type { z } from 'zod'

/** Somebody else's message as a sentence: the broker often leaves out the full stop. */
export function asSentence(message: string): string {
  const text = message.trim()
  return /[.!?)]$/.test(text) ? text : `${text}.`
}

/** What a person can do about a field, for every refusal that has no message of its own in the contract. */
export function fieldMessage(issue: z.core.$ZodRawIssue): string {
  if (issue.input === undefined || issue.input === null) return '값을 넣어 주세요.'
  switch (issue.code) {
    case 'invalid_type':
      return typeMessage(issue.expected)
    case 'invalid_value':
      return `${issue.values.map(String).join(', ')} 가운데 하나로 넣어 주세요.`
    case 'too_small':
      return `${String(issue.minimum)}${unitOf(issue.origin)} 이상으로 넣어 주세요.`
    case 'too_big':
      return `${String(issue.maximum)}${unitOf(issue.origin)} 이하로 넣어 주세요.`
    default:
      return '형식이 맞지 않습니다. 다시 확인해 주세요.'
  }
}

const typeMessage = (expected: string): string => {
  if (expected === 'int') return '정수로 넣어 주세요.'
  if (expected === 'number') return '숫자로 넣어 주세요.'
  if (expected === 'boolean') return 'true나 false로 넣어 주세요.'
  if (expected === 'string') return '글자로 넣어 주세요.'
  return '형식이 맞지 않습니다. 다시 확인해 주세요.'
}

const unitOf = (origin: string): string => (origin === 'string' ? '자' : '')
