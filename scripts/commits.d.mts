export interface CommitCheck {
  readonly skipped?: string
  readonly base?: string
  readonly count: number
  readonly problems: readonly string[]
}
export const MAX_SUBJECT: number
export const FIRST: string
export function problemsOf(message: string): string[]
export function withoutComments(text: string): string
export function checkCommits(folder?: string, asked?: string): CommitCheck
export function reportOf(check: CommitCheck): string
