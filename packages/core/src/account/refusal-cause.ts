/**
 * What the broker refused an order for. All but `order` are facts about the moment and never count against the stock: the
 * hour, the day, the venue, a halt, the day's price limits, the call itself (its rate, its token).
 */
export type RefusalCause = 'hour' | 'day' | 'venue' | 'halted' | 'priceLimit' | 'call' | 'order'
