/** The broker's hosts. The socket is plain ws: the approval key travels in clear. */
export const KIS_HOSTS = {
  real: { rest: 'https://openapi.koreainvestment.com:9443', ws: 'ws://ops.koreainvestment.com:21000' },
  paper: { rest: 'https://openapivts.koreainvestment.com:29443', ws: 'ws://ops.koreainvestment.com:31000' },
} as const
