import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readConfig } from '../../src/app/config/config.ts'
import { startFailure } from '../../src/app/serve.ts'
import { dataFolder } from '../harness/data-folder.ts'

test('of a path that the system refuses the option is told that named it', () => {
  const dataDir = dataFolder()
  const { config } = readConfig({ dataDir, requestLog: 'no/log', socket: 'none/memgov.sock' }, {})
  const failed = (path: string) =>
    startFailure(Object.assign(new Error('EACCES: permission denied'), { path }), config)
  expect(failed('no/log')).toMatch(/ with --request-log\.$/)
  expect(failed('none')).toMatch(/ with --socket\.$/)
  expect(failed(dataDir)).toMatch(/ with --data-dir\.$/)
  expect(failed(join(dataDir, 'LOCK'))).toMatch(/ to the user of the service, .* with --data-dir\.$/)
  expect(failed('/etc/other')).toBe('memgov cannot start: EACCES: permission denied')
})
