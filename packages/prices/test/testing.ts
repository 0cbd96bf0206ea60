export { execution, fakeKis, givenUp } from './fake-kis.ts'
export { FakeSocket } from './fake-socket.ts'
export { statusesBy } from './statuses-by.ts'
