// `npm run audit`: are holes known in what the server is built from? For operators, before an update and once a month.
import { spawnSync } from 'node:child_process'
import { ROOT } from './setup.mjs'

const { status, stdout, error } = spawnSync('npm', ['audit', '--omit=dev', '--json'], { cwd: ROOT, encoding: 'utf8' })
const counts = countsIn(stdout)
if (counts === null) {
  process.stderr.write(
    `알려진 구멍의 목록을 받지 못해 아무것도 확인하지 못했습니다. 인터넷 연결을 확인하고 다시 해 주세요.${error ? ` (${error.message})` : ''}\n`,
  )
  process.exitCode = 2
} else if (counts.total === 0) {
  process.stdout.write('서버가 쓰는 라이브러리에 알려진 구멍이 없습니다.\n')
} else {
  const { critical, high, moderate, low } = counts
  process.stdout.write(
    `알려진 구멍 ${counts.total}건(매우 심각 ${critical}, 심각 ${high}, 보통 ${moderate}, 낮음 ${low})이 있습니다. npm audit --omit=dev로 자세히 보고, 새 버전이 나왔으면 올려 주세요.\n`,
  )
  process.exitCode = status || 1
}

/** Null where there is no answer of the registry in it. */
function countsIn(text) {
  try {
    return JSON.parse(text).metadata?.vulnerabilities ?? null
  } catch {
    return null
  }
}
