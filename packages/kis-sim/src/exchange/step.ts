/** One change a happening makes. */
export interface Step {
  /** Epoch ms. */
  readonly at: number
  /** `live`: it happens now, so orders and listeners feel it; else it is the past of a market that has just started. */
  run(live: boolean): void
}
