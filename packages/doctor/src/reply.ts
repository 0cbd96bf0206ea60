import type { RawReply } from '@digger/kis'

export type Row = Readonly<Record<string, unknown>>

/** A reply whose body is an object; `body` null: it is none. */
export interface Reply extends RawReply {
  readonly body: Row | null
}

export function readBody(reply: RawReply): Reply {
  try {
    const value: unknown = JSON.parse(reply.text)
    return { ...reply, body: isRow(value) ? value : null }
  } catch {
    return { ...reply, body: null }
  }
}

export const isRow = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const textOf = (value: unknown): string => (typeof value === 'string' ? value.trim() : '')

export const codeOf = ({ body }: Reply): string => textOf(body?.['msg_cd'])

/** A reply that brings what was asked for. */
export const isGood = ({ status, body }: Reply): boolean => status === 200 && textOf(body?.['rt_cd']) === '0'

export const headerOf = ({ headers }: Pick<RawReply, 'headers'>, name: string): string | null =>
  headers.find(([one]) => one.toLowerCase() === name)?.[1] ?? null

/** Of a call: the last part of its path, as `inquire-balance`. */
export const callOf = ({ path }: Pick<RawReply, 'path'>): string => path.split('/').at(-1) ?? path

/** The value as a number; NaN where it is none. The form is judged elsewhere. */
export const numberOf = (row: Row, field: string): number => {
  const text = textOf(row[field])
  return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN
}
