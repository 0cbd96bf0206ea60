import { isRow } from '../reply.ts'

/** A reply as it is filed: how the broker answers, and nothing of whose account it was. */
export interface FiledReply {
  readonly call: string
  readonly trId: string
  readonly params: Readonly<Record<string, string>>
  readonly cont: string
  /** Epoch ms. */
  readonly at: number
  readonly status: number
  readonly headers: readonly (readonly [string, string])[]
  readonly body: unknown
}

/** Whether what a file holds is one: headers are not looked at. */
export function isFiledReply(value: unknown): value is FiledReply {
  if (!isRow(value) || !isRow(value['params']) || !Array.isArray(value['headers'])) return false
  const texts = [value['call'], value['trId'], value['cont'], ...Object.values(value['params'])]
  const numbers = [value['at'], value['status']]
  return (
    texts.every((one) => typeof one === 'string') && numbers.every((one) => Number.isFinite(one)) && 'body' in value
  )
}
