import { Dice } from '../runtime/random.ts'

/** Faults of one REST call. */
export type CallFault =
  /** The call never reaches the broker's order system; the connection breaks. */
  | { readonly kind: 'loseRequest'; readonly how?: 'reset' | 'hang' }
  /**
   * The connection breaks, and the call is carried out `ms` later all the same: so behaves a line that goes on sending
   * the bytes of a client that has given up. Real ms, however fast the market runs.
   */
  | { readonly kind: 'lateRequest'; readonly ms: number; readonly how?: 'reset' | 'hang' }
  /** The call is carried out twice; the reply is that of the first time. */
  | { readonly kind: 'doubleRequest' }
  /** An order is acknowledged as accepted, with a number, and never becomes an order. Other calls go on as usual. */
  | { readonly kind: 'phantom' }
  /** The call is carried out, its reply never arrives. */
  | { readonly kind: 'loseReply'; readonly how?: 'reset' | 'hang' }
  | { readonly kind: 'delay'; readonly ms: number }
  /** A gateway code; `carriedOut`: the order is live all the same (EGW00302 and the like). */
  | { readonly kind: 'code'; readonly code: string; readonly status?: number; readonly carriedOut?: boolean }
  /** A 5xx without a verdict: empty codes or an HTML page. */
  | {
      readonly kind: 'broken'
      readonly body?: 'empty' | 'html' | 'blank'
      readonly status?: number
      readonly carriedOut?: boolean
    }
  /** A business refusal with the given code and text. */
  | { readonly kind: 'refuse'; readonly code: string; readonly text: string }
  /** The reply of an order waits `ms`; its notices do not. */
  | { readonly kind: 'noticeFirst'; readonly ms?: number }

type NoticeFault =
  | { readonly kind: 'dropNotice' }
  | { readonly kind: 'duplicateNotice' }
  /** Goes out after the one that follows it. */
  | { readonly kind: 'reorderNotice' }
  | { readonly kind: 'delayNotice'; readonly ms: number }

type SocketFault =
  /** Vanishes without a close frame (1006). */
  | { readonly kind: 'cut' }
  | { readonly kind: 'close' }
  /** Stays open, but sends nothing any more. */
  | { readonly kind: 'freeze' }

type LedgerFault =
  /** The exchange turns an accepted order down: only the notice and daily-ccld report it. */
  | { readonly kind: 'rejectLater' }
  /** The order shows in queries this much later, ms. */
  | { readonly kind: 'listingLag'; readonly ms: number }
  | { readonly kind: 'balanceLag'; readonly ms: number }

/** Numbers of orders that were acknowledged and never exist (`phantom`) begin here, far above those of real orders. */
export const FIRST_PHANTOM_NUMBER = 9_000_000_000

export type FaultKind = (CallFault | NoticeFault | SocketFault | LedgerFault)['kind']

/** Which calls a fault strikes, and how often. Without `times` it goes on until cleared. */
interface FaultAim {
  /** Account of ten digits; every account when absent. */
  readonly account?: string
  /** Name of the endpoint in the client's wire table (`orderBuy`, `balance`, …) or `token`, `approval`; any when absent. */
  readonly endpoint?: string
  /** 0…1; 1 when absent. */
  readonly probability?: number
  readonly times?: number
}

export type Fault = (CallFault | NoticeFault | SocketFault | LedgerFault) & FaultAim

const CALL_KINDS = [
  'loseRequest',
  'lateRequest',
  'doubleRequest',
  'phantom',
  'loseReply',
  'delay',
  'code',
  'broken',
  'refuse',
  'noticeFirst',
] as const
const NOTICE_KINDS = ['dropNotice', 'duplicateNotice', 'reorderNotice', 'delayNotice'] as const
const SOCKET_KINDS = ['cut', 'close', 'freeze'] as const

interface Armed {
  readonly id: number
  readonly fault: Fault
  left: number
}

/** The faults now in force, and how often each kind has struck. */
export class Faults {
  readonly #armed: Armed[] = []
  readonly #counts = new Map<FaultKind, number>()
  readonly #dice: Dice
  #lastId = 0
  #carrying: 'lateRequest' | 'doubleRequest' | null = null

  constructor(seed: number) {
    this.#dice = new Dice(seed, 'faults')
  }

  /** Which fault carries out the call under way, late or once more; null: a client's own. For whoever listens to facts. */
  get carrying(): 'lateRequest' | 'doubleRequest' | null {
    return this.#carrying
  }

  carryOut(kind: 'lateRequest' | 'doubleRequest', call: () => unknown): void {
    this.#carrying = kind
    try {
      call()
    } finally {
      this.#carrying = null
    }
  }

  /** Returns the number to clear it by. */
  add(fault: Fault): number {
    const id = ++this.#lastId
    this.#armed.push({ id, fault, left: fault.times ?? Infinity })
    return id
  }

  /** Ends one fault, or all. */
  clear(id?: number): void {
    const remaining = id === undefined ? [] : this.#armed.filter((armed) => armed.id !== id)
    this.#armed.splice(0, this.#armed.length, ...remaining)
  }

  list(): readonly { readonly id: number; readonly fault: Fault; readonly left: number }[] {
    return this.#armed.map((armed) => ({ ...armed }))
  }

  counts(): Partial<Record<FaultKind, number>> {
    return Object.fromEntries(this.#counts)
  }

  call(account: string | null, endpoint: string): (CallFault & FaultAim) | null {
    return this.#strike(CALL_KINDS, account, endpoint)
  }

  notice(account: string): (NoticeFault & FaultAim) | null {
    return this.#strike(NOTICE_KINDS, account, null)
  }

  /** Draws a fault before each frame to a client. */
  socket(account: string | null): (SocketFault & FaultAim) | null {
    return this.#strike(SOCKET_KINDS, account, null)
  }

  rejectsLater(account: string): boolean {
    return this.#strike(['rejectLater'], account, null) !== null
  }

  /** Extra ms; 0 without such a fault. */
  lag(kind: 'listingLag' | 'balanceLag', account: string): number {
    return this.#strike([kind], account, null)?.ms ?? 0
  }

  #strike<K extends FaultKind>(kinds: readonly K[], account: string | null, endpoint: string | null): Of<K> | null {
    for (const armed of this.#armed) {
      const { fault } = armed
      if (!isOneOf(fault, kinds)) continue
      if (fault.account !== undefined && fault.account !== account) continue
      if (fault.endpoint !== undefined && fault.endpoint !== endpoint) continue
      if (!this.#dice.chance(fault.probability ?? 1)) continue
      armed.left--
      if (armed.left <= 0) this.#armed.splice(this.#armed.indexOf(armed), 1)
      this.#counts.set(fault.kind, (this.#counts.get(fault.kind) ?? 0) + 1)
      return fault
    }
    return null
  }
}

type Of<K extends FaultKind> = Extract<Fault, { kind: K }>

const isOneOf = <K extends FaultKind>(fault: Fault, kinds: readonly K[]): fault is Of<K> =>
  kinds.some((kind) => kind === fault.kind)
