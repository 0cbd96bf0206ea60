/** A guard of the rules, and the edit that takes it away or turns it round. `from` occurs once in its file. */
export interface Guard {
  readonly name: string
  readonly home: 'core' | 'prices' | 'engine' | 'database' | 'kis'
  /** Below the package's `src`. */
  readonly file: string
  readonly from: string
  readonly to: string
}

const inHome =
  (home: Guard['home']) =>
  (file: string) =>
  (name: string, from: string, to: string): Guard => ({ name: `${file}: ${name}`, home, file: `${file}.ts`, from, to })

export const inFile = inHome('core')
/** What stands between a decision and the wire. */
export const inEngine = inHome('engine')
/** What is believed of the market. */
export const inPrices = inHome('prices')
export const inDatabase = inHome('database')
/** How the broker's answers are read. */
export const inKis = inHome('kis')
