export interface Spin {
  readonly spin: string
  readonly gcc: string
}
export function findSpin(): Spin | null
