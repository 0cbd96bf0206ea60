/**
 * Why the share of an issue becomes another one: new shares for nothing, or for money; a dividend in shares; another face
 * value, by which shares are split or joined.
 */
export type KisActionKind = 'bonusIssue' | 'rightsIssue' | 'stockDividend' | 'faceValue'

export interface KisAnnouncement {
  readonly kind: KisActionKind
  readonly code: string
  /** Who is entered as a holder on this day takes part; `YYYYMMDD`. */
  readonly recordDay: string
  /** First day on which the new share is traded; null: not settled yet, or not told (a dividend's is the trading day before the record day). */
  readonly exDay: string | null
  /** Shares after for each one before. */
  readonly ratio: number
  /** What a new share costs its holder, won; 0: nothing. */
  readonly paid: number
  /** When the new shares are in the accounts; null: not settled yet. */
  readonly creditDay: string | null
}

export interface KisAnnouncements {
  readonly rows: readonly KisAnnouncement[]
  /** The list is as long as the broker makes it, and nothing leads to the rest: ask for one code. */
  readonly isCut: boolean
  /** Why rows could not be read, one each. */
  readonly unreadable: readonly string[]
}
