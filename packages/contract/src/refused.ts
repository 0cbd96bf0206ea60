import type { ErrorCode } from './problem.ts'
import type { ProofWays } from './second-factor.ts'

/** Something a person asked for was not done: a code for programs, a Korean sentence for the person that says what to do. */
export class Refused extends Error {
  override readonly name = 'Refused'
  readonly code: ErrorCode

  constructor(code: ErrorCode, message: string) {
    super(message)
    this.code = code
  }
}

/** The password is right; `ways` are those by which the log-in can go on. */
export class FactorNeeded extends Refused {
  readonly ways: ProofWays

  constructor(message: string, ways: ProofWays) {
    super('SECOND_FACTOR', message)
    this.ways = ways
  }
}

/** Nobody knows yet whether it was done: it may have been. */
export class OutcomeUnknown extends Refused {
  constructor(message: string, code: ErrorCode = 'BROKER_UNREACHABLE') {
    super(code, message)
  }
}

/** Nobody knows here any more. Asked again under the same key it is answered, and not done twice. */
export class LostAnswer extends OutcomeUnknown {}
