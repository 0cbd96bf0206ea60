export function findNats(): string | null
