import type { NotificationChannel, Reply } from '@digger/contract'
import type { Problem } from '../../../api/problem.ts'
import { send } from '../../../api/send.ts'
import { deviceName, freeLabel, ownChannel } from './deviceState.ts'
import { subscribe } from './pushDevice.ts'
import { readRemembered, remember } from './rememberedChannels.ts'

type Setup = Reply<'notificationSetup'>

/**
 * Subscribes this browser and adds it, in the place of the channel that it was before. Null: its person or the server said no. To be
 * called by a press, before anything else is awaited. Throws DeviceProblem.
 */
export async function addDevice(
  userId: string,
  { offered, channels }: Setup,
  onProblem?: (problem: Problem) => void,
): Promise<Setup | null> {
  const keys = await subscribe(offered.push)
  if (keys === null) return null
  const remembered = readRemembered()
  const old = ownChannel(channels, { remembered })
  const taken = channels.filter((channel) => channel !== old).map((channel) => channel.label)
  const label = freeLabel(deviceName(navigator.userAgent), taken)
  const body = { kind: 'push', label, ...keys } as const
  const setup = await send('addChannel', { params: { userId }, body }, onProblem)
  if (setup === null) return null
  // Where the worker added the new address before, it has the label now as well: the list is in the order of adding.
  const added = setup.channels.findLast((channel) => channel.kind === 'push' && channel.label === label)
  const others = remembered.filter(({ id }) => id !== old?.id && id !== added?.id)
  remember(added ? [...others, { id: added.id, endpoint: keys.endpoint }] : others)
  return old && added && old.id !== added.id ? replaced(userId, old, added, setup) : setup
}

/** Takes the channel of this device's former address away; what its person had chosen there holds here. */
async function replaced(
  userId: string,
  { id, amounts }: NotificationChannel,
  added: NotificationChannel,
  setup: Setup,
): Promise<Setup> {
  if (amounts !== added.amounts)
    await send('changeChannel', { params: { userId, channelId: added.id }, body: { amounts } }, leaveIt)
  return (await send('removeChannel', { params: { userId, channelId: id } }, leaveIt)) ?? setup
}

/** The device is added: what is left of its former address its person sees in the list. */
const leaveIt = () => undefined
