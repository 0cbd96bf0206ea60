import { readFileSync, statSync } from 'node:fs'
import { TOKEN_SECRET } from '@digger/contract'

/** Where the server is, and what it is asked with. */
export interface Place {
  /** Origin of the server. */
  readonly url: string
  readonly token: string
}

/** What the environment lacks or says wrongly: a sentence for whoever set it up. */
export class EnvironmentError extends Error {
  override readonly name = 'EnvironmentError'
}

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/
/** Bits of a file's mode by which others than its owner may use it. */
const OTHERS = 0o077

/** Reads and checks the environment. Throws EnvironmentError, which never repeats the token. Side effect: reads the token's file. */
export function readPlace(env: Readonly<Record<string, string | undefined>>): Place {
  return { url: originOf(env['DIGGER_URL']), token: tokenOf(env['DIGGER_TOKEN'], env['DIGGER_TOKEN_FILE']) }
}

function originOf(text = ''): string {
  if (!URL.canParse(text)) throw new EnvironmentError('DIGGER_URL: Digger의 주소를 https://로 시작하게 적어 주세요.')
  const { protocol, hostname, username, password, pathname, search, hash, origin } = new URL(text)
  if (protocol !== 'https:' && !(protocol === 'http:' && LOOPBACK.test(hostname)))
    throw new EnvironmentError('DIGGER_URL: https 주소만 됩니다. http는 이 컴퓨터의 Digger(127.0.0.1)에만 됩니다.')
  if (username + password + search + hash !== '' || pathname !== '/')
    throw new EnvironmentError('DIGGER_URL: https://digger.example.com처럼 서버의 주소만 적어 주세요.')
  return origin
}

function tokenOf(given: string | undefined, file: string | undefined): string {
  if ((given === undefined) === (file === undefined))
    throw new EnvironmentError('DIGGER_TOKEN_FILE(토큰을 적은 파일)과 DIGGER_TOKEN 가운데 하나를 정해 주세요.')
  const token = (given ?? readToken(file ?? '')).trim()
  const [, scope] = TOKEN_SECRET.exec(token) ?? []
  if (scope === undefined)
    throw new EnvironmentError('API 토큰이 아닙니다. Digger의 API 토큰 화면에서 만들어 끝까지 복사해 주세요.')
  if (scope !== 'read')
    throw new EnvironmentError('읽기만 하는 토큰이면 충분합니다. 범위가 읽기인 토큰을 만들어 바꿔 주세요.')
  return token
}

function readToken(file: string): string {
  try {
    if (process.platform !== 'win32' && (statSync(file).mode & OTHERS) !== 0)
      throw new EnvironmentError(`${file}: 다른 사람도 쓸 수 있는 파일입니다. chmod 600으로 막아 주세요.`)
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (error instanceof EnvironmentError) throw error
    throw new EnvironmentError(`${file}: 토큰 파일을 읽지 못했습니다.`, { cause: error })
  }
}
