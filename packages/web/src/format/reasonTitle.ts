import type { Stock } from '@digger/contract'

type Reason = Stock['reasons'][number]

/** 왜 샀나, 왜 안 샀나, 왜 파나, 왜 안 파나. */
export const reasonTitle = ({ side, ok, code }: Reason): string =>
  code === 'firstDays' && ok
    ? '처음 며칠'
    : side === 'buy'
      ? ok
        ? '왜 샀나'
        : '왜 안 샀나'
      : ok
        ? '왜 파나'
        : '왜 안 파나'
