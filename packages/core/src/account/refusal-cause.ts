/**
 * What the broker refused an order for. All but `order` are facts about the moment and never count against the stock: the
 * hour, the day, the venue, a halt, the day's price limits, an intake that is shut, cash or shares that are not free, the call
 * itself (its rate, its token). `order` is also what nobody could sort.
 */
export type RefusalCause =
  | 'hour'
  | 'day'
  | 'venue'
  | 'halted'
  | 'priceLimit'
  | 'service'
  | 'money'
  | 'shares'
  | 'call'
  | 'order'
