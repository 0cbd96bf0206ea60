import { kstIso } from '@digger/core'

/** Korean time as spreadsheets read it: `2026-11-20 09:00:00`. `at`: epoch ms. */
export const timeText = (at: number): string => isoText(kstIso(at))

/** The same of an instant of the API, which is in Korean time already. */
export const isoText = (iso: string): string => `${iso.slice(0, 10)} ${iso.slice(11, 19)}`

/** `YYYYMMDD` as `YYYY-MM-DD`. */
export const dayText = (day: string): string => `${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}`
