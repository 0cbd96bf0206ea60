import { once } from 'node:events'
import { demoCredentials, type Sim } from '@digger/kis-sim'
import { z } from 'zod'

const Approval = z.object({ approval_key: z.string() })

/** Another program under the same app key: it registers one stock, hears what becomes of it, and leaves. */
export async function otherLine(sim: Sim): Promise<void> {
  const { appKey: appkey, appSecret: secretkey } = demoCredentials(0)
  const reply = await fetch(`${sim.url}/oauth2/Approval`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ grant_type: 'client_credentials', appkey, secretkey }),
  })
  const { approval_key } = Approval.parse(await reply.json())
  const socket = new WebSocket(`${sim.wsUrl}/tryitout`)
  await once(socket, 'open')
  const header = { approval_key, custtype: 'P', tr_type: '1', 'content-type': 'utf-8' }
  const body = { input: { tr_id: 'H0STCNT0', tr_key: '005930' } }
  socket.send(JSON.stringify({ header, body }))
  await once(socket, 'message')
  socket.close()
}
