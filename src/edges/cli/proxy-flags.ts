import type { CommandFlag } from './commands.ts'

const COMMANDS = ['proxy']

function flag(name: string, value: string, description: string): CommandFlag {
  return { name, value, commands: COMMANDS, description }
}

/** The flags of `proxy`, beside those of every command that asks a service. */
export const PROXY_FLAGS: readonly CommandFlag[] = [
  flag('upstream', 'URL', 'the store; nothing that a caller sends leads anywhere else'),
  flag('port', 'PORT', 'where the proxy listens on 127.0.0.1 (3002)'),
  flag(
    'scope',
    'NAME',
    'the scope of all its memory (one for each user or group of the store, as mem0:user_id:alice)',
  ),
  flag('agent', 'ID', 'the agent that asks (that of the key, else local-agent)'),
  flag('key-file', 'FILE', 'a file with the key, instead of MEMGOV_KEY'),
  flag('trusted', '', 'you vouch for what the store holds: rows that nothing speaks against are use_now'),
  flag('pass-unknown', '', 'pass routes that the proxy does not know, instead of refusing them'),
  flag('fail-open', '', 'pass rows that memgov could not judge, with a label that says so'),
  flag('timeout-ms', 'MS', 'how long the store may take (60000)'),
]
