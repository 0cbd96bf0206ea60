interface Manifest {
  readonly migrations: readonly string[]
  readonly takenAt: number
  readonly tables: readonly { readonly name: string; readonly rows: number; readonly sha256: string }[]
}
export function since(before: Manifest, now: Manifest): { moved: string[]; changes: string[] }
