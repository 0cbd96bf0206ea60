import { SETTING_NAMES } from '@digger/core'

/** What people call the fields of the screens. What only programs send keeps its name, which is in the API document. */
const NAMES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...SETTING_NAMES,
    email: '이메일',
    password: '비밀번호',
    oldPassword: '지금 비밀번호',
    newPassword: '새 비밀번호',
    accountNumber: '계좌번호',
    htsId: 'HTS ID',
    code: '종목코드',
    fromDate: '시작일',
    toDate: '종료일',
    sellPrice: '매도가',
    sellCount: '나눌 개수',
    simulPrice: '가상 가격',
    qty: '수량',
    count: '수량',
    amount: '금액',
    day: '날짜',
    positionAmount: '계좌 보유 금액',
    lossAmount: '손실',
    repeatCount: '되풀이 매매',
    unknownPerHour: '결과를 모르는 주문',
    dailyBuyAmount: '하루 매수 금액',
    orderAmount: '1회 매수 금액',
    ordersPerMinute: '1분 주문 수',
    personOrderAmount: '직접 내는 주문의 금액',
    sellCollarPercent: '직접 내는 매도가의 폭',
    label: '이름',
    url: '주소',
    template: '보낼 내용',
  }),
)

/** `최고 매수가: 원 단위의 정수로 넣어 주세요.` */
export function aboutField(path: readonly PropertyKey[], message: string): string {
  const [first = '', ...rest] = path
  return `${[NAMES.get(String(first)) ?? String(first), ...rest.map(String)].join('.')}: ${message}`
}
