/** How one call of a foreign client went. */
export const VERDICTS = ['works', 'right refusal', 'own fault', 'not imitated', 'FAILS'] as const
export type Verdict = (typeof VERDICTS)[number]

export interface Outcome {
  readonly client: string
  readonly call: string
  readonly verdict: Verdict
  /** What came back, or why it could not work. */
  readonly detail: string
}

/** A call that cannot work at the broker either: the refusal that shows it, and why. */
export interface Known {
  readonly client: RegExp
  readonly call: RegExp
  readonly verdict: Exclude<Verdict, 'works' | 'FAILS'>
  /** What the client says when it is refused in the expected way. */
  readonly shows: RegExp
  readonly why: string
}

export interface CallReport {
  readonly call: string
  readonly ok: boolean
  readonly detail: string
}

/** A call that came back works; one that did not is known to be refused in this way, or fails. */
export function judged(client: string, { call, ok, detail }: CallReport, known: readonly Known[]): Outcome {
  if (ok) return { client, call, verdict: 'works', detail }
  const cause = known.find((one) => one.client.test(client) && one.call.test(call) && one.shows.test(detail))
  return cause
    ? { client, call, verdict: cause.verdict, detail: cause.why }
    : { client, call, verdict: 'FAILS', detail }
}

const MAX_DETAIL = 110

/** Hangul takes two columns of a terminal. */
const columns = (text: string): number => text.length + (text.match(/[\u1100-\uD7A3]/g)?.length ?? 0)
const padded = (text: string, width: number): string => text + ' '.repeat(Math.max(0, width - columns(text)))

export function table(outcomes: readonly Outcome[]): string {
  const width = (of: (outcome: Outcome) => string): number => Math.max(0, ...outcomes.map((one) => columns(of(one))))
  const [client, call] = [width((one) => one.client), width((one) => one.call)]
  return outcomes
    .map(
      (one) =>
        `${padded(one.client, client)}  ${padded(one.call, call)}  ${padded(one.verdict, 13)}  ${one.detail.slice(0, MAX_DETAIL)}`,
    )
    .join('\n')
}

export function summary(outcomes: readonly Outcome[]): string {
  const byClient = Map.groupBy(outcomes, (one) => one.client)
  return [...byClient]
    .map(([client, ones]) => {
      const count = (verdict: Verdict): number => ones.filter((one) => one.verdict === verdict).length
      const counts = VERDICTS.map((one) => `${count(one)} ${one}`)
      return `${client}: ${ones.length} calls: ${counts.join(', ')}`
    })
    .join('\n')
}
