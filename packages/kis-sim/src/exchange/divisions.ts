import { ORD_DVSN } from '@digger/kis'

export interface Division {
  /** limit: the given price · market: any · best: the opposite best becomes the limit · top: the own side's best. */
  readonly pricing: 'limit' | 'market' | 'best' | 'top' | 'middle' | 'stop' | 'fixed'
  /** ioc: the rest is cancelled at once · fok: all or nothing. */
  readonly timeInForce: 'day' | 'ioc' | 'fok'
  /** Name in daily-ccld. */
  readonly name: string
}

const division = (
  pricing: Division['pricing'],
  name: string,
  timeInForce: Division['timeInForce'] = 'day',
): Division => ({
  pricing,
  timeInForce,
  name,
})

export const DIVISIONS: ReadonlyMap<string, Division> = new Map([
  [ORD_DVSN.limit, division('limit', '지정가')],
  [ORD_DVSN.market, division('market', '시장가')],
  [ORD_DVSN.conditionalLimit, division('limit', '조건부지정가')],
  [ORD_DVSN.best, division('best', '최유리지정가')],
  [ORD_DVSN.top, division('top', '최우선지정가')],
  [ORD_DVSN.preOpen, division('fixed', '장전시간외')],
  [ORD_DVSN.postClose, division('fixed', '장후시간외')],
  [ORD_DVSN.limitIoc, division('limit', '지정가IOC', 'ioc')],
  [ORD_DVSN.limitFok, division('limit', '지정가FOK', 'fok')],
  [ORD_DVSN.marketIoc, division('market', '시장가IOC', 'ioc')],
  [ORD_DVSN.marketFok, division('market', '시장가FOK', 'fok')],
  [ORD_DVSN.bestIoc, division('best', '최유리IOC', 'ioc')],
  [ORD_DVSN.bestFok, division('best', '최유리FOK', 'fok')],
  [ORD_DVSN.midpoint, division('middle', '중간가')],
  [ORD_DVSN.stopLimit, division('stop', '스톱지정가')],
  [ORD_DVSN.midpointIoc, division('middle', '중간가IOC', 'ioc')],
  [ORD_DVSN.midpointFok, division('middle', '중간가FOK', 'fok')],
  [ORD_DVSN.preLimit, division('limit', '프리마켓 지정가')],
  [ORD_DVSN.preBest, division('best', '프리마켓 최유리')],
  [ORD_DVSN.preTop, division('top', '프리마켓 최우선')],
  [ORD_DVSN.afterLimit, division('limit', '애프터마켓 지정가')],
  [ORD_DVSN.afterLimitIoc, division('limit', '애프터마켓 지정가IOC', 'ioc')],
  [ORD_DVSN.afterLimitFok, division('limit', '애프터마켓 지정가FOK', 'fok')],
  [ORD_DVSN.afterBest, division('best', '애프터마켓 최유리')],
  [ORD_DVSN.afterBestIoc, division('best', '애프터마켓 최유리IOC', 'ioc')],
  [ORD_DVSN.afterBestFok, division('best', '애프터마켓 최유리FOK', 'fok')],
  [ORD_DVSN.afterTop, division('top', '애프터마켓 최우선')],
])

const MIDPOINTS = ['21', '23', '24']
const CONTINUOUS_KRX = ['00', '01', '02', '03', '04', '11', '12', '13', '14', '15', '16', '22', ...MIDPOINTS]
const CONTINUOUS_NXT = ['00', '03', '04', '11', '12', '15', '16']

/** Divisions each phase accepts. */
export const ACCEPTED_DIVISIONS: Record<'KRX' | 'NXT', Readonly<Record<string, readonly string[]>>> = {
  KRX: {
    openingAuction: ['00', '01', '02'],
    regular: CONTINUOUS_KRX,
    closingAuction: ['00', '01'],
    postClose: ['06'],
    afterMarket: ['41', '42', '43', '44', '45', '46', '47'],
  },
  NXT: {
    preMarket: [...CONTINUOUS_NXT, '27', '28', '29'],
    regular: [...CONTINUOUS_NXT, '13', '14', '22', ...MIDPOINTS],
    afterAuction: ['00'],
    afterMarket: CONTINUOUS_NXT,
  },
}

/** Order kinds of paper: measured for 00 and 01, documented for 02–04, refused with 40970000 beyond. */
export const PAPER_DIVISIONS: readonly string[] = ['00', '01', '02', '03', '04']

/** Divisions that need a named venue: SOR refuses them. */
export const NOT_ON_SOR: readonly string[] = ['02', '05', '06', '21', '22', '23', '24', '27', '28', '29']

/** NXT's pre-market orders that die with it, at 08:50. */
export const GOOD_TILL_PRE_MARKET: readonly string[] = ['27', '28', '29']
