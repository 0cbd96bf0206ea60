import { statSync } from 'node:fs'

/** As for MASTER_KEY_FILE: others may not read it, nor the group write it. */
const TOO_OPEN = 0o027

const SECRETS = {
  worker: ['CLUSTER_SECRET_FILE', 'WORKER_SECRET_FILE'],
  gateway: ['CLUSTER_SECRET_FILE'],
} as const
const SHARED_BY = { CLUSTER_SECRET_FILE: '서버', WORKER_SECRET_FILE: '워커' } as const

/** The variables that decide what this process is to others. */
export interface RoleVariables {
  readonly DIGGER_ROLE: 'all' | 'worker' | 'gateway'
  readonly KIS_ENV: 'sim' | 'paper' | 'real'
  readonly KIS_REST_URL?: string | undefined
  readonly DATABASE_URL?: string | undefined
  readonly NATS_URL?: string | undefined
  readonly CLUSTER_SECRET_FILE?: string | undefined
  readonly WORKER_SECRET_FILE?: string | undefined
  readonly HEALTH_PORT?: number | undefined
}

/** What one of several processes cannot do without, one sentence; null where nothing is missing. */
export function clusterRefusalOf(config: RoleVariables): string | null {
  const { DIGGER_ROLE: role, KIS_ENV, KIS_REST_URL, DATABASE_URL, NATS_URL, HEALTH_PORT } = config
  if (HEALTH_PORT !== undefined && role !== 'worker')
    return `HEALTH_PORT=${HEALTH_PORT}: DIGGER_ROLE=worker에서만 씁니다. 다른 역할은 PORT에서 /health에 답하니 이 변수를 지워 주세요.`
  if (role === 'all') return null
  if (DATABASE_URL === undefined)
    return `DIGGER_ROLE=${role}에는 DATABASE_URL이 필요합니다. 여러 대는 내장 데이터베이스가 아니라 함께 쓰는 PostgreSQL에만 기록합니다.`
  if (NATS_URL === undefined)
    return `DIGGER_ROLE=${role}에는 NATS_URL이 필요합니다. 서버끼리 요청을 주고받는 NATS의 주소를 적어 주세요.`
  if (role === 'gateway' && config.WORKER_SECRET_FILE !== undefined)
    return 'WORKER_SECRET_FILE: 게이트웨이에는 두지 않습니다. 사용자 키를 받을 수 있는 워커에만 두는 비밀이니 이 변수와 파일을 지워 주세요.'
  for (const name of SECRETS[role]) {
    const file = config[name]
    if (file === undefined)
      return `DIGGER_ROLE=${role}에는 ${name}이 필요합니다. openssl rand -base64 32로 만든 파일(권한 600)을 모든 ${SHARED_BY[name]}에 똑같이 두고 그 경로를 적어 주세요.`
    if ((statSync(file).mode & TOO_OPEN) !== 0)
      return `${name}=${file} 파일을 다른 사용자가 읽거나 쓸 수 있습니다. chmod 600으로 막아 주세요.`
  }
  if (KIS_ENV === 'sim' && KIS_REST_URL === undefined)
    return `DIGGER_ROLE=${role}에서는 서버 안의 모의 거래소를 쓸 수 없습니다. npm run sim으로 따로 켜고 KIS_REST_URL과 KIS_WS_URL을 적어 주세요.`
  return null
}
