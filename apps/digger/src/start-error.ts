import { once } from 'node:events'
import { createServer } from 'node:net'
import { OperatorError } from '@digger/database'
import type { Config } from '@digger/config'

/** Something outside keeps the server from starting; the message is one line for the person who runs it. */
export class StartError extends OperatorError {
  override readonly name = 'StartError'
}

const CAUSES: Readonly<Record<string, string>> = {
  EADDRINUSE: '다른 프로그램이 쓰고 있습니다',
  EACCES: '쓸 권한이 없습니다',
  EPERM: '쓸 권한이 없습니다',
  EADDRNOTAVAIL: '이 컴퓨터의 주소가 아닙니다',
  ENOTFOUND: '찾을 수 없는 주소입니다',
  ENOTDIR: '폴더가 아닙니다',
  EEXIST: '폴더가 아닙니다',
  EROFS: '읽기만 되는 곳입니다',
  ENOSPC: '디스크에 자리가 없습니다',
  ENOENT: '없는 곳입니다',
}

/** Known causes in one line; a stack only for what nobody foresaw. */
export function startErrorMessage(error: unknown): string {
  if (error instanceof OperatorError) return error.message
  const known = causeOf(error)
  if (known !== null && error instanceof Error) return `시작하지 못했습니다: ${known} (${error.message})`
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

const causeOf = (error: unknown): string | null =>
  error instanceof Error && 'code' in error ? (CAUSES[String(error.code)] ?? null) : null

/** Before anything is made: a start that takes a minute must not find out at its end that nobody could listen. */
export async function assertPorts({ HOST, PORT, SIM_PORT }: Config, withSim: boolean): Promise<void> {
  await assertPort('PORT', HOST, PORT)
  if (withSim) await assertPort('SIM_PORT', '127.0.0.1', SIM_PORT)
  if (withSim && PORT === SIM_PORT && PORT !== 0) throw new StartError(`PORT와 SIM_PORT가 ${PORT}로 같습니다.`)
}

export async function assertPort(name: string, host: string, port: number): Promise<void> {
  const probe = createServer()
  try {
    probe.listen(port, host)
    await once(probe, 'listening')
  } catch (error) {
    const cause = causeOf(error) ?? String(error)
    throw new StartError(`${name}=${port}(${host})에서 열 수 없습니다: ${cause}. ${name} 값을 바꿔 주세요.`, {
      cause: error,
    })
  }
  probe.close()
  await once(probe, 'close')
}

/** DATA_DIR must be a folder, or something that can become one. */
export function folderError(dataDir: string, error: unknown): unknown {
  const cause = causeOf(error)
  return cause === null ? error : new StartError(`DATA_DIR=${dataDir}에 쓸 수 없습니다: ${cause}.`, { cause: error })
}
