/** A guard of the rules, and the edit that takes it away or turns it round. `from` occurs once in its file. */
export interface Guard {
  readonly name: string
  readonly file: string
  readonly from: string
  readonly to: string
}

export const inFile =
  (file: string) =>
  (name: string, from: string, to: string): Guard => ({ name: `${file}: ${name}`, file: `${file}.ts`, from, to })
