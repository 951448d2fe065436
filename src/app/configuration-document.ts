import { optionRows } from './config.ts'

/** `docs/configuration.md`: a test compares the file with this text. */
export function configurationDocument(): string {
  const rows = optionRows().map((row) => {
    const unit = row.unit ?? ''
    return `| \`${row.env}\` | \`${row.flag}\` | \`${row.defaultText}\` | ${unit} | ${row.allowed} | ${row.description} |`
  })
  return [
    '# Configuration',
    '',
    'Every option is an environment variable, a flag of `memgov serve` and, in camelCase (`dataDir`), an option of the',
    'embedded runtime. A flag or an option wins over the environment; an empty variable counts as not set. A value that',
    'is not allowed stops the start with a message that names the variable. A variable that begins with `MEMGOV_` and is',
    'none of these is named in a warning. `memgov serve --print-config` prints every value and where it comes from.',
    '',
    '| Variable | Flag | Default | Unit | Allowed | Meaning |',
    '| --- | --- | --- | --- | --- | --- |',
    ...rows,
    '',
    'Only loopback addresses are allowed as host: there are no keys yet, so whoever reaches the port could read and change',
    'every memory. The Unix socket is readable and writable by its owner only.',
    '',
  ].join('\n')
}
