/** How the broker writes a value (kis-protocol 1.4): always a text, numbers in decimal without separators. */
export type Form =
  | 'whole'
  | 'signed'
  | 'decimal'
  | 'rate2'
  | 'rate8'
  | 'price4'
  | 'day'
  | 'dayOrSlashes'
  | 'time'
  | 'stock'
  | 'stock12'
  | 'yn'
  | 'sign'
  | 'odno'
  | 'original'
  | 'branch'
  | 'account'
  | 'text'

const PATTERNS: Readonly<Record<Form, RegExp>> = {
  whole: /^\d+$/,
  signed: /^-?\d+$/,
  decimal: /^-?\d+(\.\d+)?$/,
  rate2: /^-?\d+\.\d{2}$/,
  rate8: /^-?\d+\.\d{8}$/,
  price4: /^\d+\.\d{4}$/,
  day: /^20\d{2}(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])$/,
  dayOrSlashes: /^20\d{2}\/?(0[1-9]|1[0-2])\/?(0[1-9]|[12]\d|3[01])$/,
  time: /^([01]\d|2[0-3])[0-5]\d[0-5]\d$/,
  stock: /^[0-9A-Z]{6,7}$/,
  stock12: /^[0-9A-Z]{12}$/,
  yn: /^[YN]$/,
  sign: /^[0-5]$/,
  odno: /^\d{10}$/,
  original: /^\d{10}$/,
  branch: /^\d{5}$/,
  account: /^\d{10}$/,
  text: /^/,
}

const WRITTEN: Readonly<Record<Form, string>> = {
  whole: '0 이상의 정수',
  signed: '부호가 있는 정수',
  decimal: '소수',
  rate2: '소수 둘째 자리까지의 수',
  rate8: '소수 여덟째 자리까지의 수',
  price4: '소수 넷째 자리까지의 수',
  day: 'YYYYMMDD 날짜',
  dayOrSlashes: '날짜',
  time: 'HHMMSS 시각',
  stock: '여섯 자리 종목코드',
  stock12: '열두 자리 종목코드',
  yn: 'Y 또는 N',
  sign: '0~5의 등락 부호',
  odno: '0을 채운 열 자리 주문번호',
  original: '0을 채운 열 자리 원주문번호',
  branch: '다섯 자리 지점번호',
  account: '열 자리 계좌번호',
  text: '글자',
}

export const isForm = (name: string): name is Form => name in PATTERNS

export const formText = (form: Form): string => WRITTEN[form]

/** Spaces around a value say nothing, except where the form is of a fixed width. */
export const isOfForm = (value: string, form: Form): boolean =>
  PATTERNS[form].test(form === 'odno' || form === 'original' ? value : value.trim())

export const isBlank = (value: string): boolean => value.trim() === ''
