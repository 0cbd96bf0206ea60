/**
 * Which kinds of facts this program reads from the journal. Counted up by whoever adds a kind, or a field without which an older program
 * would rebuild another account: from then on no older program gets a shard that this one has had.
 */
export const FACTS_VERSION = 3
