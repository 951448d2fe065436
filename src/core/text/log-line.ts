// A line that a program wrote about what it did: it begins with the time of day, or names its level as a program does.
// The forms are those of syslog, of common web servers, of the logging libraries of the large languages, of logfmt and
// of JSON lines. A date without a time is how people begin a note, and so is a bare `Warning:`.

const LEVEL = '(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|ERR|FATAL|CRITICAL|SEVERE|PANIC)'
const TIME = '\\d{2}:\\d{2}:\\d{2}(?:[.,]\\d{1,9})?(?:Z|[+-]\\d{2}:?\\d{2})?'
const LINE = new RegExp(
  [
    `\\[?\\d{4}[-/]\\d{2}[-/]\\d{2}[T ]${TIME}`,
    `\\[?[A-Z][a-z]{2} {1,2}\\d{1,2} (?:\\d{4} )?${TIME}`,
    `\\[?${TIME}\\]? \\[?${LEVEL}\\b`,
    `\\[${LEVEL}\\] `,
    `${LEVEL}:? \\[?(?:\\d{4}[-/]\\d{2}[-/]\\d{2}[T ])?${TIME}`,
    '\\S{1,64} \\S{1,64} \\S{1,64} \\[\\d{2}/[A-Z][a-z]{2}/\\d{4}:',
    '(?:ts|time|timestamp|at)=\\S{8,40} (?:level|lvl|severity)=',
    '(?:level|lvl|severity)=\\w{3,8} (?:\\w{1,32}=\\S{1,64} )?(?:ts|time|msg|message)=',
    '\\{"(?:level|lvl|severity|ts|time|timestamp|@timestamp)":.{1,400}"(?:msg|message|level|severity)":',
  ]
    .map((form) => `^(?:${form})`)
    .join('|'),
)
/** Lines looked at; what follows them is more of the same. */
const LINES_MAX = 50

/** Whether every line of a text is one of a log; a line that is set in belongs to the one before. */
export function isLog(text: string): boolean {
  const lines = text.split('\n', LINES_MAX).filter((line) => line.trim() !== '')
  const [first] = lines
  return first !== undefined && isLogLine(first) && lines.every((line) => /^\s/.test(line) || isLogLine(line))
}

export function isLogLine(line: string): boolean {
  return LINE.test(line)
}
