import { readFileSync } from 'node:fs'
import { z } from 'zod'

const Header = z.object({ key: z.string(), value: z.string().default(''), disabled: z.boolean().default(false) })
const Item = z.object({
  name: z.string(),
  request: z
    .object({
      method: z.string(),
      header: z.array(Header).default([]),
      body: z.object({ mode: z.string().optional(), raw: z.string().optional() }).optional(),
      url: z.object({ raw: z.string() }),
    })
    .optional(),
  event: z
    .array(z.object({ listen: z.string(), script: z.object({ exec: z.array(z.string()).default([]) }) }))
    .default([]),
  get item() {
    return z.array(Item).optional()
  },
})
type Item = z.infer<typeof Item>
const Collection = z.object({ info: z.object({ name: z.string() }), item: z.array(Item) })

/** One request of a collection, its variables still in braces. */
export interface PostmanRequest {
  /** Folders and name. */
  readonly name: string
  readonly method: string
  readonly url: string
  /** Those that are switched on, in their order. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: string | null
  /** Variables a script of the collection sets from the reply: variable → field. */
  readonly sets: ReadonlyMap<string, string>
  /** The variable a script sets to the hash of the body before it sends the request. */
  readonly hashInto: string | null
}

export interface PostmanCollection {
  readonly name: string
  readonly requests: readonly PostmanRequest[]
}

export function readCollection(path: string): PostmanCollection {
  const { info, item } = Collection.parse(JSON.parse(readFileSync(path, 'utf8')))
  return { name: info.name, requests: item.flatMap((one) => requestsOf(one, [])) }
}

function requestsOf(item: Item, folders: readonly string[]): PostmanRequest[] {
  const names = [...folders, item.name]
  if (item.item) return item.item.flatMap((one) => requestsOf(one, names))
  const { request } = item
  if (!request) return []
  return [
    {
      name: names.join(' / '),
      method: request.method,
      url: request.url.raw,
      headers: request.header.filter(({ disabled }) => !disabled).map(({ key, value }) => [key, value] as const),
      body: request.method === 'GET' ? null : (request.body?.raw ?? null),
      sets: new Map(
        [...script(item, 'test').matchAll(/environment\.set\("([^"]+)",\s*jsonData\.(\w+)\)/g)].map(
          ([, variable = '', field = '']) => [variable, field],
        ),
      ),
      hashInto: /environment\.set\("([^"]+)",\s*res\.json\(\)\.HASH\)/.exec(script(item, 'prerequest'))?.[1] ?? null,
    },
  ]
}

/** Lines that are commented out do not run. */
const script = ({ event }: Item, when: string): string =>
  event
    .filter(({ listen }) => listen === when)
    .flatMap((one) => one.script.exec)
    .filter((line) => !line.trim().startsWith('//'))
    .join('\n')

/** Puts variables in; a name nobody has set stays in its braces, as Postman sends it. */
export const filled = (text: string, variables: ReadonlyMap<string, string>): string =>
  text.replaceAll(/\{\{([^{}]+)\}\}/g, (whole, name: string) => variables.get(name) ?? whole)
