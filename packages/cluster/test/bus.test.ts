import { LocalBus, LocalWire } from '../src/bus/local-bus.ts'
import { describeBus } from './bus-contract.ts'

const wire = new LocalWire()
describeBus('in one process', async () => new LocalBus(wire))
