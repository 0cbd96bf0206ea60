import { isNear, relation } from '../expect/relations.ts'

/** How far the price is from the peaks of a time, percent. */
const PEAKS = [
  ['d250_hgpr_vrss_prpr_rate', 'd250_hgpr'],
  ['d250_lwpr_vrss_prpr_rate', 'd250_lwpr'],
  ['dryy_hgpr_vrss_prpr_rate', 'stck_dryy_hgpr'],
  ['dryy_lwpr_vrss_prpr_rate', 'stck_dryy_lwpr'],
  ['w52_hgpr_vrss_prpr_ctrt', 'w52_hgpr'],
  ['w52_lwpr_vrss_prpr_ctrt', 'w52_lwpr'],
] as const

const traded = (of: (field: string) => number): boolean => of('acml_vol') > 0

export const PRICE_RELATIONS = [
  relation(
    'stck_prpr stck_llam stck_mxpr',
    '현재가는 하한가와 상한가 사이여야 합니다.',
    (of) => of('stck_prpr') === 0 || (of('stck_llam') <= of('stck_prpr') && of('stck_prpr') <= of('stck_mxpr')),
  ),
  relation(
    'stck_lwpr stck_oprc stck_prpr stck_hgpr acml_vol',
    '저가 ≤ 시가·현재가 ≤ 고가여야 합니다.',
    (of) =>
      !traded(of) ||
      ['stck_oprc', 'stck_prpr'].every((one) => of('stck_lwpr') <= of(one) && of(one) <= of('stck_hgpr')),
  ),
  relation(
    'stck_prpr prdy_vrss stck_sdpr',
    '현재가 − 전일 대비 = 기준가여야 합니다.',
    (of) => of('stck_prpr') - of('prdy_vrss') === of('stck_sdpr'),
  ),
  relation(
    'rstc_wdth_prc stck_mxpr stck_sdpr',
    '상한가 − 기준가 = 제한폭이어야 합니다.',
    (of) => of('stck_mxpr') - of('stck_sdpr') === of('rstc_wdth_prc'),
    false,
  ),
  relation(
    'prdy_ctrt prdy_vrss stck_sdpr',
    '등락률은 전일 대비 ÷ 기준가여야 합니다.',
    (of) => of('stck_sdpr') === 0 || isNear(of('prdy_ctrt'), (of('prdy_vrss') / of('stck_sdpr')) * 100, 0.011),
    false,
  ),
  relation(
    'acml_tr_pbmn acml_vol stck_lwpr stck_hgpr',
    '거래대금은 거래량 × (저가~고가)여야 합니다.',
    (of) =>
      isNear(
        of('acml_tr_pbmn'),
        (of('acml_vol') * (of('stck_lwpr') + of('stck_hgpr'))) / 2,
        (of('acml_vol') * (of('stck_hgpr') - of('stck_lwpr'))) / 2 + 1,
      ),
    false,
  ),
  relation(
    'wghn_avrg_stck_prc acml_tr_pbmn acml_vol',
    '가중평균가는 거래대금 ÷ 거래량이어야 합니다.',
    (of) => of('acml_vol') === 0 || isNear(of('wghn_avrg_stck_prc'), of('acml_tr_pbmn') / of('acml_vol'), 0.02),
    false,
  ),
  ...PEAKS.map(([rate, price]) =>
    relation(
      `${rate} ${price} stck_prpr`,
      `${rate}는 현재가와 ${price}의 차이(%)여야 합니다.`,
      (of) => of(price) === 0 || isNear(of(rate), ((of('stck_prpr') - of(price)) / of(price)) * 100, 0.02),
      false,
    ),
  ),
  relation(
    'stck_hgpr stck_lwpr stck_mxpr stck_llam acml_vol',
    '고가와 저가는 하한가와 상한가 사이여야 합니다.',
    (of) => !traded(of) || (of('stck_hgpr') <= of('stck_mxpr') && of('stck_lwpr') >= of('stck_llam')),
  ),
  relation(
    'hts_avls lstn_stcn stck_prpr',
    '시가총액은 상장 주식 수 × 현재가(억 원)여야 합니다.',
    (of) => isNear(of('hts_avls'), (of('lstn_stcn') * of('stck_prpr')) / 1e8, 2),
    false,
  ),
  relation('d250_lwpr d250_hgpr', '250일 저가 ≤ 고가여야 합니다.', (of) => of('d250_lwpr') <= of('d250_hgpr'), false),
  relation('w52_lwpr w52_hgpr', '52주 저가 ≤ 고가여야 합니다.', (of) => of('w52_lwpr') <= of('w52_hgpr'), false),
]
