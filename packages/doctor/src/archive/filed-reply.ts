/** A reply as it is filed: how the broker answers, and nothing of whose account it was. */
export interface FiledReply {
  readonly call: string
  readonly trId: string
  readonly params: Readonly<Record<string, string>>
  readonly cont: string
  /** Epoch ms. */
  readonly at: number
  readonly status: number
  readonly headers: readonly (readonly [string, string])[]
  readonly body: unknown
}
