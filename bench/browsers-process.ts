import { fork } from 'node:child_process'
import { once } from 'node:events'
import { pause } from './traders.ts'

/** The price of the first change, above what the broker says when it is asked; each further one is one won more, whatever its stock. */
const FIRST_PRICE = 76_000

export const priceOf = (change: number): number => FIRST_PRICE + change
export const changeOf = (price: number): number => price - FIRST_PRICE

/** `place`: whose streams these are, where browsers of several are open. */
export type BrowsersOrder =
  | {
      readonly kind: 'open'
      readonly place: string
      /** The browsers take them in turn. */
      readonly origins: readonly string[]
      readonly cookies: readonly string[]
    }
  | { readonly kind: 'state'; readonly place: string; readonly prices: Readonly<Record<string, number>> }
  /** So many connections ask lists, each as soon as it was answered; 0: no more. */
  | { readonly kind: 'lists'; readonly place: string; readonly connections: number }
  /** When each change was sent, by the monotonic clock of the machine, ms. */
  | { readonly kind: 'waits'; readonly place: string; readonly sentAt: readonly number[] }

export interface BrowsersReport {
  /** How many have been connected at all, and how many more than once. */
  readonly open: number
  readonly reopened: number
  /** Those that have not read the list since their stream was opened. */
  readonly unread: number
  /** Those without the price of some stock. */
  readonly behind: number
  /** Bundles received since the last such question, and how long their prices took, ms. */
  readonly bundles: number
  readonly p50: number
  readonly p99: number
  readonly worst: number
  /** Lists that those who only ask for lists have been answered so far. */
  readonly lists: number
  readonly refused: number
}

/** By the clock that all processes of a machine have, ms. */
export const monotonicNow = (): number => Number(process.hrtime.bigint()) / 1e6

export class BrowsersProcess {
  readonly #process = fork(new URL('browsers.ts', import.meta.url))

  async ask(order: BrowsersOrder): Promise<BrowsersReport> {
    this.#process.send(order)
    const [report]: BrowsersReport[] = await once(this.#process, 'message')
    if (report === undefined) throw new Error('no report')
    return report
  }

  /** Resolves when every browser has its stream and has read its list. */
  async open(place: string, origins: readonly string[], cookies: readonly string[]): Promise<void> {
    await this.ask({ kind: 'open', place, origins, cookies })
    await this.until(place, {}, ({ open, unread }) => open === cookies.length && unread === 0, 60)
  }

  /** Looks ten times a second; returns the last report also where it did not come true in so many seconds. */
  async until(
    place: string,
    prices: Readonly<Record<string, number>>,
    isTrue: (report: BrowsersReport) => boolean,
    seconds: number,
  ): Promise<BrowsersReport> {
    for (let tries = 0; ; tries += 1) {
      const report = await this.ask({ kind: 'state', place, prices })
      if (isTrue(report) || tries >= seconds * 10) return report
      await pause(100)
    }
  }

  end(): void {
    this.#process.kill()
  }
}
