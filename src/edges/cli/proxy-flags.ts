import { type CommandFlag, flag } from './command-flag.ts'

const COMMANDS = ['proxy']

const own = (name: string, value: string, description: string) => flag(name, value, COMMANDS, description)

/** The flags of `proxy`, beside those of every command that asks a service. */
export const PROXY_FLAGS: readonly CommandFlag[] = [
  own('upstream', 'URL', 'the store; nothing that a caller sends leads anywhere else'),
  own('port', 'PORT', 'where the proxy listens on 127.0.0.1 (3002)'),
  own(
    'scope',
    'NAME',
    'the scope of all its memory (one for each user or group of the store, as mem0:user_id:alice)',
  ),
  own('agent', 'ID', 'the agent that asks (that of the key, else local-agent)'),
  own('key-file', 'FILE', 'a file with the key, instead of MEMGOV_KEY'),
  own('trusted', '', 'you vouch for what the store holds: rows that nothing speaks against are use_now'),
  own('pass-unknown', '', 'pass routes that the proxy does not know, instead of refusing them'),
  own('fail-open', '', 'pass rows that memgov could not judge, with a label that says so'),
  own('timeout-ms', 'MS', 'how long the store may take (60000)'),
]
