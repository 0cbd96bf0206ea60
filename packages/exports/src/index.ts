export { type Asking, Exports, type TableQuery } from './exports.ts'
export type { ExportFile } from './file.ts'
export type { AskBroker } from './year/ask-broker.ts'
