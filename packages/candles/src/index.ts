export { Histories, type HistoryQuery } from './history.ts'
export { type Imported, importCandles, type ImportHow } from './import/import-file.ts'
export { jsonStream } from './json.ts'
export { CandleKeeper, type KeeperParts } from './keeper.ts'
