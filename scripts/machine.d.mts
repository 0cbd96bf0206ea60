export interface Program {
  readonly name: string
  /** One package, or several with blanks between. */
  readonly debian: string
  readonly byHand: string
  readonly unrun: string
  readonly isHere: () => boolean
}
export interface Consent {
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
  readonly isTerminal: boolean
  readonly ask?: (question: string) => Promise<boolean>
  readonly say: (line: string) => void
}
export interface Machine extends Consent {
  readonly programs?: readonly Program[]
  readonly possible?: boolean
  readonly install: (debian: string) => Promise<void>
}
export const CHROMIUM: string
export const PROGRAMS: readonly Program[]
export function canInstall(): boolean
export function askOnTerminal(question: string): Promise<boolean>
export function mayInstall(missing: readonly Program[], consent: Consent): Promise<boolean>
export function prepareMachine(machine: Machine): Promise<readonly Program[]>
export function verdict(
  missing: readonly Program[],
  asked: { readonly args: readonly string[] },
): { readonly lines: readonly string[]; readonly code: number }
