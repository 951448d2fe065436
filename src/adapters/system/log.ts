import { pino } from 'pino'
import type { Log } from '../../ports/system.ts'

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent'

export interface LogTarget {
  readonly isTTY?: boolean | undefined
  write(text: string): unknown
}

/** Writes to `target`: a short line for a person when it is a terminal, one JSON object a line when it is not. */
export function pinoLog(level: LogLevel, target: LogTarget): Log {
  const stream = target.isTTY === true ? { write: (line: string) => target.write(humanLine(line)) } : target
  const logger = pino(
    {
      name: 'memgov',
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      // Under this name too: of an error nothing is listed by itself.
      serializers: { error: pino.stdSerializers.err },
      formatters: { level: (label) => ({ level: label }) },
    },
    stream,
  )
  return {
    debug: (fields, message) => logger.debug(fields, message),
    info: (fields, message) => logger.info(fields, message),
    warn: (fields, message) => logger.warn(fields, message),
    error: (fields, message) => logger.error(fields, message),
  }
}

const TOLD = ['debug', 'info', 'warn', 'error'] as const
const SEVERITIES: readonly LogLevel[] = [...TOLD, 'silent']

/** What a caller gives as one may be anything. */
export function isLog(value: unknown): value is Log {
  const log: Readonly<Record<string, unknown>> = Object(value)
  return TOLD.every((severity) => typeof log[severity] === 'function')
}

/** Passes on to a log of the program around us what is as severe as `level`. */
export function logTo(target: Log, level: LogLevel): Log {
  const least = SEVERITIES.indexOf(level)
  const told = (severity: keyof Log): Log[keyof Log] =>
    SEVERITIES.indexOf(severity) < least ? () => {} : (fields, message) => target[severity](fields, message)
  return { debug: told('debug'), info: told('info'), warn: told('warn'), error: told('error') }
}

/** `12:30:05 warn  disk is slow  flush_ms=800`; the stack of an error follows, indented. */
function humanLine(line: string): string {
  const record: Record<string, unknown> = JSON.parse(line)
  const { level, time, msg, name: _name, error, err = error, ...fields } = record
  const details = Object.entries(fields).map(([key, value]) => `${key}=${plain(value)}`)
  const head = `${plain(time).slice(11, 19)} ${plain(level).padEnd(5)} ${[plain(msg), ...details].join('  ')}\n`
  return err === undefined ? head : `${head}${stackOf(err).replace(/^/gm, '    ')}\n`
}

function plain(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}

function stackOf(err: unknown): string {
  const isRecord = typeof err === 'object' && err !== null
  return isRecord && 'stack' in err ? plain(err.stack) : plain(err)
}
