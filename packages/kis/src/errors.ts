import type { KisExecutions } from './api.ts'
import { causeOf, saysNothingLeft, type RefusalCause } from './wire/refusals.ts'

/**
 * What a failed call means for the order it carried: `refused` and `notSent` are certain, no order exists;
 * `unknown` means it may exist, and only the ledger decides.
 */
export type OrderOutcome = 'refused' | 'unknown' | 'notSent'

/** Every failure of this package. `code` is the broker's (EGW…, APBK…, OPSP…), null when there was none. */
export abstract class KisError extends Error {
  abstract readonly outcome: OrderOutcome
  readonly code: string | null

  constructor(message: string, code: string | null = null, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
  }
}

/** The broker said no, and its own text is the `message`. Reasons share codes: read the text too. */
export class RefusedError extends KisError {
  override readonly name: string = 'RefusedError'
  readonly outcome = 'refused'
}

/** The broker says there is nothing of the kind (rt_cd 7). It is no proof of an empty account. */
export class NoDataError extends RefusedError {
  override readonly name = 'NoDataError'
}

/** The broker lists these days not together, or not this one (KIER2570). */
export class DaysRefusedError extends RefusedError {
  override readonly name = 'DaysRefusedError'
}

/** The list changed while its pages were read (SYDB0050): only from its first page on can it be read whole. */
export class ListChangedError extends RefusedError {
  override readonly name: string = 'ListChangedError'
}

/** The same, with what the last pages showed before: true of each order in them, and says nothing of any other. */
export class PartialListError extends ListChangedError {
  override readonly name = 'PartialListError'
  readonly seen: KisExecutions

  constructor(seen: KisExecutions, { message, code }: ListChangedError) {
    super(message, code)
    this.seen = seen
  }
}

/** An order left and no verdict came back. Never send it again; read the ledger. */
export class OutcomeUnknownError extends KisError {
  override readonly name = 'OutcomeUnknownError'
  readonly outcome = 'unknown'
}

/** Not one byte of the order left this machine. */
export class NotSentError extends KisError {
  override readonly name = 'NotSentError'
  readonly outcome = 'notSent'
}

/** Too many calls, also after waiting. The gateway refuses before routing, so an order was not placed. */
export class ThrottledError extends KisError {
  override readonly name = 'ThrottledError'
  readonly outcome = 'refused'
}

/** No usable access token. The gateway lets nothing through without one, so an order was not placed. */
export class TokenError extends KisError {
  override readonly name = 'TokenError'
  readonly outcome = 'notSent'
}

/** The broker knows no such HTS ID for this key: notices cannot be registered. */
export class HtsIdError extends KisError {
  override readonly name = 'HtsIdError'
  readonly outcome = 'notSent'
}

/** The broker took the registration of notices and gave no key that opens them. */
export class NoticeKeyError extends KisError {
  override readonly name = 'NoticeKeyError'
  readonly outcome = 'notSent'
}

/** This environment does not have the call, or not in this form. */
export class NotOfferedError extends KisError {
  override readonly name = 'NotOfferedError'
  readonly outcome = 'refused'
}

/** A query got no usable answer: no connection, a time-out, a gateway without a verdict. */
export class UnreachableError extends KisError {
  override readonly name = 'UnreachableError'
  readonly outcome = 'unknown'
}

/** The broker sent something this client does not understand. */
export class ProtocolError extends KisError {
  override readonly name = 'ProtocolError'
  readonly outcome = 'unknown'
}

/** For the caller of `order` and `cancel`. Anything that is not ours may have happened after the order left. */
export function outcomeOf(error: unknown): OrderOutcome {
  return error instanceof KisError ? error.outcome : 'unknown'
}

/** Why an order was refused, for the caller of `order`. Only of an error whose outcome is `refused`. */
export function refusalCause(error: unknown): RefusalCause {
  if (error instanceof ThrottledError) return 'call'
  // Asked again tomorrow the environment still does not have it.
  if (error instanceof NotOfferedError || !(error instanceof KisError)) return 'order'
  return causeOf(error.code, error.message)
}

/** For the caller of `cancel`: the broker knows nothing of the order any more that could be cancelled. */
export const isNothingLeft = (error: unknown): boolean =>
  error instanceof RefusedError && saysNothingLeft(error.code, error.message)
