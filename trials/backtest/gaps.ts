import type { Candle } from '@digger/kis-sim'

const day = (date: string, code: string, [open, high, low, close]: [number, number, number, number]): Candle => ({
  day: date,
  code,
  name: `종목 ${code}`,
  market: 'KOSPI',
  open,
  high,
  low,
  close,
  volume: 1_000_000,
})

/** A fall with a gap, a recovery with one, a day without trade, and one that ends where it is lowest. */
export const GAPS: readonly Candle[] = [
  day('20260108', '100001', [50_000, 50_500, 46_000, 46_500]),
  day('20260109', '100001', [43_000, 48_500, 42_500, 48_000]),
  day('20260112', '100001', [51_000, 52_000, 49_000, 51_500]),
  { ...day('20260113', '100001', [0, 0, 0, 51_500]), volume: 0 },
  day('20260114', '100001', [51_500, 51_500, 44_000, 44_000]),
  day('20260115', '100001', [44_000, 47_000, 44_000, 45_000]),
]
