export function cookie(name: string, all: string = document.cookie): string | null {
  const found = all.split('; ').find((pair) => pair.startsWith(`${name}=`))
  return found === undefined ? null : decodeURIComponent(found.slice(name.length + 1))
}
