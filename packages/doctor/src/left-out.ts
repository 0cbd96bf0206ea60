import { type Checked, notTried } from './finding.ts'

/**
 * What an examination over the connection of an account that trades leaves out, for the account would pay for it: its token may
 * end when another is issued, its key has one connection in real time, and bursts take the calls of its orders.
 */
export const LEFT_OUT: readonly Checked[] = [
  {
    key: 'token',
    name: '접근 토큰',
    findings: [
      notTried(
        '새로 받지 않았습니다. 새로 받으면 자동매매가 쓰는 토큰이 끊길 수 있습니다. 보려면 서버를 쉬게 하고 서버에서 npm run doctor -- --token을 실행해 주세요.',
      ),
    ],
  },
  {
    key: 'speed',
    name: '호출 속도',
    findings: [
      notTried(
        '재지 않았습니다. 재는 동안 주문이 밀릴 수 있습니다. 보려면 서버를 쉬게 하고 서버에서 npm run doctor -- --limits를 실행해 주세요.',
      ),
    ],
  },
  {
    key: 'socket',
    name: '실시간 연결',
    findings: [
      notTried(
        '새로 연결하지 않았습니다. 증권사는 앱키 하나에 실시간 연결 하나만 주고, 자동매매가 그것을 쓰고 있습니다. 살아 있는지는 아침 점검의 체결 통보에서 볼 수 있습니다.',
      ),
    ],
  },
]
