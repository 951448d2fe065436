// The thread of the pacer: sleeps as long as it is told to, then rings.
import { workerData } from 'node:worker_threads'
import { ASKED, alarmOver, NEVER, RUNG } from './pacer.ts'

const { slots, forMs } = alarmOver(Object(workerData))
for (let asked = 0; ; asked += 1) {
  Atomics.wait(slots, ASKED, asked)
  // Nobody ever notifies it: this is a sleep that ends to the tenth of a millisecond.
  Atomics.wait(slots, NEVER, 0, forMs[0] ?? 0)
  Atomics.add(slots, RUNG, 1)
  Atomics.notify(slots, RUNG)
}
