import { z } from 'zod'
import type { NoticeKey } from '../decode/notice.ts'
import { ProtocolError } from '../errors.ts'
import { kstInstant } from '../kst.ts'
import { TR_TYPE } from '../wire/channels.ts'

/** Texts of the broker are short; a broken message must not fill a log. */
const MAX_LENGTH = 200
const shortText = z.string().transform((text) => text.slice(0, MAX_LENGTH))

const Message = z.object({
  header: z.object({ tr_id: shortText, tr_key: shortText.nullish(), datetime: z.string().nullish().catch(null) }),
  body: z
    .object({
      rt_cd: shortText.nullish(),
      msg_cd: shortText.nullish(),
      msg1: shortText.nullish(),
      output: z.object({ iv: z.string(), key: z.string() }).nullish().catch(null),
    })
    .nullish(),
})

export type Control =
  /** `at`: the broker's time, epoch ms; NaN when there is none. */
  | { readonly kind: 'pingPong'; readonly at: number }
  | {
      readonly kind: 'ack'
      /** "(null)" on some failures: look at `ok` and `code` first. */
      readonly trId: string
      readonly trKey: string
      readonly ok: boolean
      readonly code: string
      readonly message: string
      readonly key: NoticeKey | null
    }

export function readControl(text: string): Control {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (error) {
    throw new ProtocolError(`unreadable control message: ${text.slice(0, 40)}`, null, error)
  }
  const message = Message.safeParse(json)
  if (!message.success) throw new ProtocolError(`unknown control message: ${text.slice(0, 80)}`)
  const { header, body } = message.data
  if (header.tr_id === 'PINGPONG') {
    const datetime = header.datetime ?? ''
    return { kind: 'pingPong', at: kstInstant(datetime.slice(0, 8), datetime.slice(8)) }
  }
  if (!body) throw new ProtocolError(`control message without a body: ${text.slice(0, 80)}`)
  return {
    kind: 'ack',
    trId: header.tr_id.trim(),
    trKey: header.tr_key?.trim() ?? '',
    ok: body.rt_cd === '0',
    code: body.msg_cd?.trim() ?? '',
    message: body.msg1?.trim() ?? '',
    key: body.output ?? null,
  }
}

export interface RegistrationMessage {
  readonly type: keyof typeof TR_TYPE
  readonly trId: string
  readonly trKey: string
}

export const registrationText = (approvalKey: string, { type, trId, trKey }: RegistrationMessage): string =>
  JSON.stringify({
    header: { approval_key: approvalKey, custtype: 'P', tr_type: TR_TYPE[type], 'content-type': 'utf-8' },
    body: { input: { tr_id: trId, tr_key: trKey } },
  })
