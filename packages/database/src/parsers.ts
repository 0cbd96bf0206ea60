import { type CustomTypesConfig, types as standard } from 'pg'

const INT8 = standard.builtins.INT8

/** Won, counts and epoch ms come as JS numbers. Beyond 2^53 a number would lie, so it is refused instead. */
export function parseInt8(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`bigint ${text} is beyond 2^53`)
  return value
}

/** Type parsers of our pools only; the library's global table stays as it is. */
export const types: CustomTypesConfig = {
  getTypeParser: (oid: Parameters<typeof standard.getTypeParser>[0], format) =>
    oid === INT8 && format !== 'binary' ? parseInt8 : standard.getTypeParser(oid, format),
}
