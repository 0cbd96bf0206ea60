import { pino, type DestinationStream, type Logger } from 'pino'

/** Names under which something secret could travel. */
const SECRETS = ['password', 'oldPassword', 'newPassword', 'appKey', 'appSecret', 'accountNumber', 'htsId', 'token']
const PATHS = SECRETS.flatMap((name) => [name, `*.${name}`])

/** The server's log: one JSON line per event, without bodies, cookies or anything of the vault. */
export const createLogger = (level: string, destination?: DestinationStream): Logger =>
  pino({ level, redact: { paths: PATHS, censor: '(가림)' }, base: null }, destination)
