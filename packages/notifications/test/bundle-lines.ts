export interface FillLine {
  /** Name of the stock and what was done with it. */
  readonly key: string
  readonly fills: number
  readonly shares: number
}

/** What a line of a bundle says of fills; null: nothing. */
export function fillLine(line: string): FillLine | null {
  const found = /^(.*?) (?:(\d+)번에 )?([\d,]+)주를 (샀|팔았)습니다/.exec(line)
  if (found === null) return null
  const [, name, fills = '1', shares = '', verb] = found
  return { key: `${name} ${verb}`, fills: Number(fills), shares: Number(shares.replaceAll(',', '')) }
}

/** Fills and shares of each stock and side. */
export class FillSums extends Map<string, { fills: number; shares: number }> {
  count({ key, fills, shares }: FillLine): this {
    const before = this.get(key) ?? { fills: 0, shares: 0 }
    return this.set(key, { fills: before.fills + fills, shares: before.shares + shares })
  }
}
