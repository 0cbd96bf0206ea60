export { Browser } from './browser.ts'
export { operate } from './operator.ts'
export { credentialsOf, ServerFixture } from './server-fixture.ts'
export { ClusterFixture } from './several-workers-fixture.ts'
