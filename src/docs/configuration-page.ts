import { optionRows, secretRows } from '../app/config/option-rows.ts'
import { alignedTable } from './aligned-table.ts'

/** Every option in one table. */
export function configurationPage(): string {
  const rows = optionRows().map((row) => [
    `\`${row.env}\``,
    `\`${row.flag}\``,
    `\`${row.defaultText}\``,
    row.unit ?? '',
    row.allowed,
    row.description,
  ])
  return [
    '<!-- Generated from the options schema by `npm run docs`. Change the schema, not this page. -->',
    '',
    '# Configuration',
    '',
    'Every option is an environment variable and a flag of `memgov serve`, and in camelCase (`dataDir`) an option of an',
    '[embedded](../how-to/embed.md) runtime, unless it concerns the network. A flag wins over the environment; an embedded runtime reads its',
    'options only. An empty variable counts as not set. A value that is not allowed stops the start with a message that names the',
    'variable. A variable that begins with `MEMGOV_` and is none of these is named in a warning. `memgov serve --print-config` prints',
    'every value and where it comes from.',
    '',
    alignedTable(['Variable', 'Flag', 'Default', 'Unit', 'Allowed', 'Meaning'], rows),
    '',
    'A service reads these from the environment only, so that neither a list of processes nor the history of a shell shows it:',
    '',
    ...secretRows().map((row) => `- \`${row.env}\`: ${row.description}`),
    '',
    'A loopback address may be served without [keys](../explanation/security.md): whoever reaches it can then read and change every memory.',
    'Any other address needs keys, and TLS or `MEMGOV_INSECURE`. The Unix socket is readable and writable by its owner only.',
    '',
    'A page in a browser cannot send JSON to another origin without being allowed to, and nothing allows it. It could have a',
    'name of its own point at this machine (DNS rebinding) and would then be of the same origin: therefore a request over TCP',
    'whose `host` header is a name with a dot, outside `localhost`, is answered 421 unless `MEMGOV_ALLOWED_HOSTS` lists it.',
    '',
  ].join('\n')
}
