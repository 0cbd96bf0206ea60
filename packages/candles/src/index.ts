export { Histories, type HistoryQuery } from './history.ts'
