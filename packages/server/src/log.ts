import { pino, type DestinationStream, type Logger } from 'pino'

/** Names under which something secret could travel. */
const SECRETS = ['password', 'oldPassword', 'newPassword', 'appKey', 'appSecret', 'accountNumber', 'htsId', 'token']
const PATHS = SECRETS.flatMap((name) => [name, `*.${name}`])

/** What the compressor calls an error: somebody closed the page while it was still being sent. */
const isLeaving = (what: unknown): boolean => what instanceof Error && what.message === 'premature close'

/** The server's log: one JSON line per event, without bodies, cookies or anything of the vault. */
export const createLogger = (level: string, destination?: DestinationStream): Logger =>
  pino(
    {
      level,
      redact: { paths: PATHS, censor: '(가림)' },
      base: null,
      hooks: {
        logMethod(args, method) {
          if (isLeaving(args[0])) this.debug('the client left in the middle of a reply')
          else method.apply(this, args)
        },
      },
    },
    destination,
  )

/** Enough for the operator to see which account somebody tries, too little to collect addresses from a log. */
export function maskEmail(email: string): string {
  const [name = '', host = ''] = email.split('@')
  return `${name.slice(0, 2)}***@${host.slice(0, 40)}`
}
