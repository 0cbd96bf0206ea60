/** Columns of a reply in their empty form, written `name:value`: what the broker sends where it knows nothing. */
export const empty = (columns: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    columns
      .trim()
      .split(/\s+/)
      .map((column) => {
        const [name = '', value = ''] = column.split(':')
        return [name, value]
      }),
  )
