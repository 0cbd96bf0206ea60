/** Where an order trades; SOR is a way to one of them. */
export type VenueName = 'KRX' | 'NXT'
