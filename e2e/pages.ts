/** Some days are enough to see how lists of everybody look. */
const DAYS = 'fromDate=20261116&toDate=20261120'

/** Every page there is, who sees it, and a text that shows it is there. */
export const PAGES: readonly { name: string; who: 'nobody' | 'user' | 'admin'; path: string; shows: string }[] = [
  { name: 'login', who: 'nobody', path: '/login', shows: 'LOGIN' },
  { name: 'join', who: 'nobody', path: '/join', shows: 'JOIN' },
  { name: 'halt', who: 'nobody', path: `/halt#${'A'.repeat(43)}`, shows: '모두 취소하고 멈춤' },
  { name: 'halt-without-link', who: 'nobody', path: '/halt', shows: '이 주소에는 멈춤 링크가 없습니다.' },
  { name: 'balance', who: 'user', path: '/user/balance', shows: '총자산' },
  { name: 'balance-detail', who: 'user', path: '/user/balance?showDetail=true', shows: '총자산' },
  { name: 'today', who: 'user', path: '/user/today', shows: '판 것에서 남은 돈' },
  { name: 'morning', who: 'user', path: '/user/morning', shows: '장부와 잔고' },
  { name: 'stock', who: 'user', path: '/user/stock', shows: '지켜보는 종목' },
  { name: 'trade', who: 'user', path: '/user/stock/005930/trade', shows: '잔고 확인' },
  {
    name: 'trade-old',
    who: 'user',
    path: '/user/stock/005930/trade?withOldTrade=true&chart=minute',
    shows: '잔고 확인',
  },
  { name: 'settings', who: 'user', path: '/user/stock/005930/settings', shows: '이 설정대로라면' },
  { name: 'whatif', who: 'user', path: '/user/whatif', shows: '모두 합해' },
  { name: 'gain', who: 'user', path: '/user/gain', shows: '수익률' },
  { name: 'money', who: 'user', path: '/user/money', shows: '자산 내역' },
  { name: 'kis-balance', who: 'user', path: '/user/kis/balance', shows: '주문 가능 금액' },
  { name: 'kis-ordered', who: 'user', path: '/user/kis/ordered', shows: '체결 내역' },
  { name: 'kis-order', who: 'user', path: '/user/kis/order', shows: '미체결 주문' },
  { name: 'socket', who: 'user', path: '/user/socket', shows: '연결됨' },
  { name: 'check', who: 'user', path: '/user/check', shows: '점검 시작' },
  { name: 'password', who: 'user', path: '/user/password', shows: 'UPDATE' },
  { name: 'credentials', who: 'user', path: '/user/credentials', shows: '확인하고 바꾸기' },
  { name: 'security', who: 'user', path: '/user/security', shows: '로그인한 기기' },
  { name: 'limits', who: 'user', path: '/user/limits', shows: '계좌 보유 금액' },
  { name: 'notification', who: 'user', path: '/user/notification', shows: '받는 곳 더하기' },
  { name: 'tokens', who: 'user', path: '/user/tokens', shows: '만든 토큰' },
  { name: 'shadow', who: 'user', path: '/user/shadow', shows: '그림자란' },
  { name: 'audit', who: 'user', path: '/user/audit', shows: '활동 기록' },
  { name: 'unknown', who: 'user', path: '/user/nowhere', shows: '찾으시는 화면이 없습니다' },
  { name: 'admin-user', who: 'admin', path: '/user/admin/user', shows: 'minji@example.com' },
  { name: 'admin-stock', who: 'admin', path: '/user/admin/stock', shows: 'minji@example.com' },
  { name: 'admin-gain', who: 'admin', path: `/user/admin/gain?${DAYS}`, shows: 'minji@example.com' },
  { name: 'admin-money', who: 'admin', path: `/user/admin/money?${DAYS}`, shows: 'minji@example.com' },
  { name: 'admin-kis-balance', who: 'admin', path: '/user/admin/kis/balance', shows: 'minji@example.com' },
  { name: 'admin-kis-ordered', who: 'admin', path: '/user/admin/kis/ordered', shows: 'minji@example.com' },
  { name: 'admin-kis-order', who: 'admin', path: '/user/admin/kis/order', shows: 'minji@example.com' },
  { name: 'admin-job', who: 'admin', path: '/user/admin/job', shows: '최근 작업' },
  { name: 'server', who: 'admin', path: '/user/admin/server', shows: '전체 멈춤' },
  { name: 'calendar', who: 'admin', path: '/user/admin/calendar', shows: '하루 고치기' },
]

/** The same where replies are made up. Their days never move on: a page of this month shows the month that has some. */
export const MADE_UP_PAGES: typeof PAGES = [
  ...PAGES.map((page) =>
    ['gain', 'money'].includes(page.name) ? { ...page, path: `${page.path}?fromDate=20261101&toDate=20261130` } : page,
  ),
  // A new server has read nothing of the past yet.
  { name: 'settings-past', who: 'user', path: '/user/stock/005930/settings?whatif=true', shows: '다른 비율이었다면' },
  // Its base price moved, and a correction brought one of its trades: no real market shows that on demand.
  { name: 'trade-frozen', who: 'user', path: '/user/stock/105560/trade', shows: '보유 합계' },
]

/** What pages say to somebody who owns nothing, */
export const NOTHING_OWNED: readonly [path: string, says: string][] = [
  ['/user/balance', '보유한 종목이 없습니다'],
  ['/user/today', '오늘은 아직 한 일이 없습니다'],
  ['/user/morning', '자동으로 사고팔 종목이 없습니다'],
  ['/user/stock', '지켜보는 종목이 없습니다'],
  ['/user/stock?showOnlyWatch=false', '종목은 관리자가 추가합니다.'],
  ['/user/stock/005930/trade', '005930 종목은 목록에 없습니다'],
  ['/user/whatif', '해 볼 종목이 없습니다'],
  ['/user/gain', '이 기간에 판 것이 없습니다'],
  ['/user/kis/balance', '증권사에 보유한 주식이 없습니다'],
  ['/user/kis/ordered', '이 기간의 체결이 없습니다'],
  ['/user/kis/order', '기다리는 주문이 없습니다'],
  ['/user/socket', '시세를 받는 종목이 없습니다'],
  ['/user/check', '아직 점검한 적이 없습니다'],
  ['/user/shadow', '그림자로 둘 종목이 없습니다'],
]
/** and to somebody who was never here: an account has its first entries from the sign-up on. */
export const NOTHING_HAPPENED: typeof NOTHING_OWNED = [
  ['/user/money', '이 기간의 기록이 없습니다'],
  ['/user/audit', '기록이 없습니다'],
  ['/user/limits', '정한 한도가 없습니다'],
  ['/user/notification', '지난 알림이 없습니다'],
  ['/user/tokens', '만든 토큰이 없습니다.'],
]
