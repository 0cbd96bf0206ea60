import { existsSync, globSync } from 'node:fs'

/** Real KRX days lie beside the project on some machines; its tests pass without. */
const DATA = new URL('../../../shared/data', import.meta.url).pathname

/** Their file; null: there is none here. */
export const RECORD: string | null = (existsSync(DATA) ? globSync(`${DATA}/krx-daily-*.csv.gz`) : [])[0] ?? null

export const NO_RECORD = 'no record of real KRX days (krx-daily-*.csv.gz) lies beside the project'
