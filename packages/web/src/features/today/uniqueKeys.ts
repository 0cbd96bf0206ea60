/** Two lots may wait for the same price, and two executions be alike to the second: the second of them is another line. */
export function uniqueKeys(names: readonly string[]): string[] {
  const counts = new Map<string, number>()
  return names.map((name) => {
    const count = counts.get(name) ?? 0
    counts.set(name, count + 1)
    return count === 0 ? name : `${name} #${count}`
  })
}
