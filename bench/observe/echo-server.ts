// The bare echo of the loop, which also tells its vitals once it has been told what to answer.
import process from 'node:process'
import '../loop/echo-server.ts'

process.once('message', () => {
  // The vitals let the process end when only the channel is left; here the channel is what it waits for.
  void import('../load/vitals.ts').then(() => process.channel?.ref())
})
