import type { FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { UserRow } from '@digger/database'
import type { Services } from '../services.ts'
import { note, reportAccess } from './note.ts'

const HOUR_MS = 3_600_000
const MAX_USERS = 10_000

/** Whoever has a password and not the factor has stolen it, or is just reaching for their phone: its person learns of both. */
export class WaitingLogIns {
  /** When it was last said, by user: once an hour is enough, however often somebody tries. */
  readonly #saidAt = new LRUCache<string, number>({ max: MAX_USERS })

  /** Of a device that nobody knows, whose password was right. */
  async report(services: Services, user: Pick<UserRow, 'id' | 'email'>, { ip, log }: FastifyRequest): Promise<void> {
    const now = services.wall.now()
    if (Math.abs(now - (this.#saidAt.get(user.id) ?? -Infinity)) < HOUR_MS) return
    this.#saidAt.set(user.id, now)
    await note(services, log, user, {
      action: '두 번째 인증을 기다림',
      detail: `비밀번호는 맞음 · 처음 보는 기기 · ${ip}`,
    })
    const text = `처음 보는 기기(${ip})에서 맞는 비밀번호를 넣고 두 번째 인증을 기다립니다.`
    await reportAccess(services, { userId: user.id, log }, text)
  }
}
