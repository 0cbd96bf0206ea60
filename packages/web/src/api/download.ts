import { paths, type FileCall } from '@digger/contract/paths'
import { ask, row, type SheetItem } from '../ask/ask.ts'
import { urlOf, type CallInput, type Part } from './call.ts'
import { Problem, problemOf } from './problem.ts'
import { withProgress } from './progress.ts'
import { report } from './send.ts'

/** A row of a menu that has a file made and saved. */
export const downloadItem = <N extends FileCall>(label: string, name: N, given: CallInput<N>): SheetItem =>
  row(label, () => download(name, given))

/**
 * Saves a file that a person asked for, or shows why not. It is fetched whole: a plain link would lead the app away from its page to
 * the text of a refusal, and nobody would see that a file was cut off.
 */
export async function download<N extends FileCall>(name: N, given: CallInput<N>): Promise<void> {
  try {
    await save(await withProgress(() => fetchFile(name, given)))
  } catch (error) {
    report(error)
  }
}

async function fetchFile<N extends FileCall>(name: N, given: CallInput<N>): Promise<File> {
  const [, path] = paths[name]
  const { params = {}, query = {} }: { params?: Part; query?: Part } = given
  let response: Response
  try {
    response = await fetch(urlOf(path, params, query), { credentials: 'same-origin' })
  } catch (cause) {
    throw new Problem('OFFLINE', '서버에 연결할 수 없습니다. 인터넷 연결을 확인해 주세요.', { cause })
  }
  if (!response.ok) throw await problemOf(response)
  try {
    const content = await response.blob()
    return new File([content], fileName(response.headers.get('content-disposition')), { type: content.type })
  } catch (cause) {
    throw new Problem('OFFLINE', '파일을 받다가 끊겼습니다. 다시 내려받아 주세요.', { cause })
  }
}

/** The name for people (RFC 5987), else the plain one. */
export function fileName(disposition: string | null): string {
  const [, korean] = /filename\*=UTF-8''([^;]+)/i.exec(disposition ?? '') ?? []
  const [, plain] = /filename="([^"]+)"/i.exec(disposition ?? '') ?? []
  return korean === undefined ? (plain ?? 'digger') : decodeURIComponent(korean)
}

/** Long enough for a browser to have begun to save it, ms. */
const REVOKE_MS = 60_000

async function save(file: File): Promise<void> {
  if (isOnHomeScreen() && navigator.canShare?.({ files: [file] })) return share(file)
  const url = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = url
  link.download = file.name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), REVOKE_MS)
}

/** An iPhone's app of the home screen: it opens a file over the page, without a way to save it or to come back. */
const isOnHomeScreen = (): boolean => 'standalone' in navigator && navigator.standalone === true

/** Its sheet has "save to files", and wants a press of its own: the one that asked for the file is long past. */
async function share(file: File): Promise<void> {
  if (!(await ask.confirm('파일이 준비되었습니다', { note: file.name, yes: '저장하기' }))) return
  await navigator.share({ files: [file] }).catch((cause: unknown) => {
    // The person closed the sheet.
    if (cause instanceof DOMException && cause.name === 'AbortError') return
    throw new Problem('INTERNAL', '파일을 저장하지 못했습니다. 다시 내려받아 주세요.', { cause })
  })
}
