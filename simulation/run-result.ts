/** What a run of the simulation with `--until-failure` came to. */
export type RunResult =
  | { readonly kind: 'passed' }
  | { readonly kind: 'failed'; readonly seed: number; readonly message: string }
  /** It ended without a verdict: it did not load, was ended, or never ended. */
  | { readonly kind: 'broken'; readonly message: string }

interface EndedProcess {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
  readonly error?: Error | undefined
}

/** The verdict is the last line, and the status must agree with it: a crash on the way has found nothing. */
export function resultOf({ status, stdout, stderr, error }: EndedProcess): RunResult {
  const last = lastLine(stdout)
  const failure = /^FAILED seed (\d+): (.+)$/.exec(last)
  if (status === 1 && failure !== null) return { kind: 'failed', seed: Number(failure[1]), message: failure[2] ?? '' }
  if (status === 0 && /^all \d+ seeds passed/.test(last)) return { kind: 'passed' }
  return { kind: 'broken', message: error?.message ?? `status ${status}: ${firstError(stderr) || last}` }
}

const lastLine = (text: string): string => text.trimEnd().split('\n').at(-1) ?? ''

/** Node prints the place first; the line of the error itself says more. */
const firstError = (stderr: string): string => /^\w*Error\b.*$/m.exec(stderr)?.[0] ?? lastLine(stderr)
