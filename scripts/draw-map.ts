/** `npm run map`: packages and their folders as the imports have them: floor, lines, imports. Fails on an arrow back up. */
import { backUp, drawMap, mapOf } from './map.ts'
import { readCode } from './sources.ts'

const files = readCode()
console.log(drawMap(mapOf(files)))
if (backUp(files).length > 0) process.exitCode = 1
