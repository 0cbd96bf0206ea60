export interface NeededProgram {
  readonly name: string
  readonly find: () => string | null
  readonly unrun: string
  readonly byHand: string
}
export function programsFolder(): string
export function findChromium(): string | null
export function findPostgres(): string | null
export function missingPrograms(needed?: readonly NeededProgram[]): readonly NeededProgram[]
export function fetchPrograms(say: (line: string) => void): Promise<void>
