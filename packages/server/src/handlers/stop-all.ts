import { OutcomeUnknown, type Reply, Refused } from '@digger/contract'
import { kstIso } from '@digger/core'
import { itemsOf } from '@digger/jobs'
import { makeStopLink, pressStopLink, readStopLink, revokeStopLink } from '@digger/identity'
import type { Handlers } from '@digger/http'
import { liveOrders, stopAll } from '../jobs/stop-all.ts'
import type { Services } from '../services.ts'

export type StopAllCalls = 'liveOrders' | 'stopAll' | 'stopLink' | 'makeStopLink' | 'revokeStopLink' | 'pressStopLink'

export function stopAllHandlers(services: Services): Pick<Handlers, StopAllCalls> {
  const { accounts, database, wall } = services
  const { db } = database
  return {
    liveOrders: ({ userId }) => liveOrders(accounts, userId),
    async stopAll({ userId, body, key, note }) {
      const stopped = await stopAll(accounts, userId, body, key)
      note(stopped.message)
      return stopped
    },
    async stopLink({ userId }) {
      const link = await readStopLink(db, userId)
      return link && { createdAt: kstIso(link.createdAt), usedAt: link.usedAt === null ? null : kstIso(link.usedAt) }
    },
    async makeStopLink({ userId, caller }) {
      // An administrator may make it void; the secret belongs to the account's own person.
      if (caller.userId !== userId) throw new Refused('FORBIDDEN', NOT_YOURS)
      const now = wall.now()
      // After the #: no server on the way and no log gets to see it.
      return { path: `/halt#${await makeStopLink(db, userId, now)}`, createdAt: kstIso(now) }
    },
    async revokeStopLink({ userId }) {
      await revokeStopLink(db, userId)
      return {}
    },
    pressStopLink: ({ body }) => pressed(services, body.token),
  }
}

async function pressed(services: Services, token: string): Promise<Reply<'pressStopLink'>> {
  const { database, wall } = services
  const userId = await pressStopLink(database.db, token, wall.now())
  if (userId === null) throw new Refused('NOT_FOUND', NO_SUCH_LINK)
  return { message: await stopFromOutside(services, userId, '멈춤 링크') }
}

/** What came of it is waited for so long, ms: then it goes on, and whoever pressed hears that. */
const WAIT_MS = 10_000

/** As a job: whichever process has the account does it, and it is done also where that one is just being replaced. */
export async function stopFromOutside({ jobs, database }: Services, userId: string, by: string): Promise<string> {
  const jobId = await jobs.begin('stopAll', { userId, email: by }, [userId])
  await jobs.wait(jobId, WAIT_MS)
  const [item] = await itemsOf(database.db, jobId, { offset: 0, limit: 1 })
  if (item?.state === 'done') return item.result ?? ''
  if (item?.state === 'failed') throw new Refused('INTERNAL', `${NOT_STOPPED} ${item.result ?? ''}`)
  throw new OutcomeUnknown(NOT_YET, 'BUSY')
}

const NOT_YOURS = '멈춤 링크는 이 계좌의 주인만 만들 수 있습니다. 주인에게 한도 화면에서 만들라고 알려 주세요.'
const NO_SUCH_LINK = '쓸 수 없는 멈춤 링크입니다. 없앴거나 새로 만든 링크입니다. Digger에 로그인해서 멈춰 주세요.'
const NOT_STOPPED = '멈추지 못했습니다. 증권사 앱에서 주문을 확인하고 Digger에 로그인해 주세요.'
const NOT_YET =
  '멈춤을 맡겼고, 계좌를 맡은 서버가 아직 답하지 않았습니다. 잠시 뒤 다시 눌러 확인하고, 급하면 증권사 앱에서 취소해 주세요.'
