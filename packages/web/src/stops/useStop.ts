import { withParticle } from '@digger/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useFailure } from '../api/problem.ts'
import { read } from '../api/read.ts'
import { send } from '../api/send.ts'
import { ask } from '../ask/ask.ts'
import { usePathUser } from '../url/user.ts'
import { STOP_MEANING, STOP_LABELS, type Stops, type StopState } from './stops.ts'

type Place = { level: 'user' | 'server' } | { level: 'stock'; code: string }

const isStoppedAgain = ({ reached }: Stops, place: Place): boolean =>
  place.level !== 'server' && reached.some(({ code }) => code === (place.level === 'stock' ? place.code : null))

/** State of the stops of the current user (null: not known yet, or `failed`), and how to change one. Stopping is at once; going on is asked for. */
export function useStop() {
  const userId = usePathUser()
  const client = useQueryClient()
  const query = useQuery({ ...read('stop', { params: { userId } }), staleTime: 60_000 })
  const failed = useFailure(query) !== null
  const put = (stops: Stops | null) => {
    const { queryKey } = read('stop', { params: { userId } })
    if (stops) client.setQueryData(queryKey, stops)
    // A limit that is still reached stops again at once: that event may have come before this reply, which knows nothing of it.
    void client.invalidateQueries({ queryKey })
  }
  const setStop = async (place: Place, stop: StopState) => {
    const goesOn =
      stop === 'active' &&
      !(await ask.confirm(`${withParticle(STOP_LABELS[stop], '으로')} 바꿀까요?`, {
        note: STOP_MEANING[stop],
        yes: '다시 시작',
      }))
    if (goesOn) return
    const stops = await send('setStop', { params: { userId }, body: { ...place, stop } })
    put(stops)
    if (stops && stop === 'active' && stops.otherServer !== null)
      void ask.alert(
        '다른 Digger가 켜져 있을 수 있어 주문은 아직 멈춰 있습니다.',
        '화면 위의 알림에서 확인한 뒤 ‘계속하기’를 눌러 주세요.',
      )
    else if (stops && stop === 'active' && isStoppedAgain(stops, place))
      void ask.alert('아직 한도에 닿아 있어 다시 멈췄습니다.', '보유를 줄이거나 ‘한도’에서 늘리면 풀 수 있습니다.')
  }
  const dismissOtherServer = async () => {
    const goesOn = await ask.confirm('다른 Digger가 없는지 확인하셨나요?', {
      note: '계속하면 이 서버가 설정대로 다시 주문합니다. 다른 곳에도 Digger가 켜져 있으면 같은 주문이 두 번 나갑니다.',
      yes: '계속하기',
    })
    if (!goesOn) return
    put(await send('dismissOtherServer', { params: { userId } }))
  }
  return { stops: query.data ?? null, failed, setStop, dismissOtherServer }
}
