import type { KisSocket, KisSocketObserver, Notice, SocketState, Tick } from '../api-socket.ts'
import { ProtocolError } from '../errors.ts'
import { ProblemLimiter } from './problem-limiter.ts'

/** Passes what the socket brings to everyone who registered. One that throws is a problem of its own; the others and the socket go on. */
export class SocketObservers implements Required<KisSocketObserver> {
  readonly #registered: KisSocketObserver[] = []
  readonly #limiter = new ProblemLimiter()

  add(observer: KisSocketObserver): void {
    this.#registered.push(observer)
  }

  /** The hot path, spelled out: it makes no closure for a tick. */
  tickReceived(tick: Tick): void {
    for (const observer of this.#registered) {
      try {
        observer.tickReceived?.(tick)
      } catch (error) {
        this.#threw(error)
      }
    }
  }

  noticeReceived(notice: Notice): void {
    this.#each((observer) => observer.noticeReceived?.(notice))
  }

  stateChanged(state: SocketState, why: string, socket: KisSocket): void {
    this.#each((observer) => observer.stateChanged?.(state, why, socket))
  }

  timeReceived(at: number): void {
    this.#each((observer) => observer.timeReceived?.(at))
  }

  problemFound(error: Error): void {
    const { report, suppressed } = this.#limiter.next(performance.now())
    if (suppressed > 0) this.#report(new ProtocolError(`실시간 연결의 문제 ${suppressed}건을 더 기록하지 않았습니다.`))
    if (report) this.#report(error)
  }

  /** There is nobody left to tell that an observer of problems threw. */
  #report(error: Error): void {
    for (const observer of this.#registered) {
      try {
        observer.problemFound?.(error)
      } catch {
        continue
      }
    }
  }

  #each(call: (observer: KisSocketObserver) => void): void {
    for (const observer of this.#registered) {
      try {
        call(observer)
      } catch (error) {
        this.#threw(error)
      }
    }
  }

  #threw(error: unknown): void {
    this.problemFound(error instanceof Error ? error : new Error(String(error)))
  }
}
