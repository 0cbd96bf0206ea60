export interface ExecutionsQuery {
  readonly from: string
  readonly to: string
  readonly code?: string
  readonly unfilledOnly?: boolean
  /**
   * Days of which the broker must have a list, where it refuses the whole range: these, the first and the last are asked one
   * by one, and a refusal of one of these is a failure. Default: the client's own.
   */
  readonly isOpenDay?: (day: string) => boolean
}

/** A row of the list of orders that could not be read, with what of it could; null is what could not. */
export interface KisUnreadableRow {
  readonly day: string | null
  readonly odno: string | null
  /** Of the order that the row modifies or cancels; null also on an order of its own. */
  readonly originalOdno: string | null
  readonly code: string | null
  /** The field and its trouble, for engineers. */
  readonly what: string
}

/** A holding that could not be read, as one with a fraction of a share; `code` null: nor could that. */
export interface KisUnreadableHolding {
  readonly code: string | null
  /** The field and its trouble, for engineers. */
  readonly what: string
}
