/** For `npm run release`: builds the web client and writes dist/release.json, dist/SHA256SUMS and dist/sbom.cdx.json. */
import { billOfMaterials, buildWebClient, writeRelease } from './release.ts'
import { ROOT } from './sources.ts'

buildWebClient(ROOT)
const { version, commit, hash, files } = writeRelease(ROOT, 'dist', billOfMaterials(ROOT))
console.log(
  `release ${version} of ${commit}: ${files} files, hash ${hash}\ndist/release.json, dist/SHA256SUMS, dist/sbom.cdx.json`,
)
