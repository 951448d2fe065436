import { CAPITAL, classAt, DIGIT, isWordClass } from './unicode.ts'

/**
 * Whether the spelling at [start, end) can only be meant as a name: a path, symbol, id, version or error code. Prose
 * has compounds too (`well-known`, `and/or`, `YouTube`, `3.5`, `24/7`); they are found whole and in parts but are not
 * exact identifiers.
 */
export function isExactIdentifier(text: string, start: number, end: number): boolean {
  const shape = shapeOf(text, start, end)
  if (shape.underscores + shape.hashes > 0) return true
  if (shape.slashes > 1) return true
  if (shape.slashes === 1) return shape.dots > 0 && shape.letters > 0
  if (shape.dots > 0) return isDottedName(shape)
  if (shape.hyphens > 0) return isHyphenatedName(shape)
  if (shape.digits > 0) return isCode(shape) || isCommitId(text, start, end)
  if (shape.capitals === end - start && SYSTEM_ERRORS.has(text.slice(start, end))) return true
  return shape.humps > 1 || (shape.humps === 1 && classAt(text, start) !== CAPITAL)
}

const COMMIT_CHARS_MIN = 7
const COMMIT_CHARS_MAX = 40
const NINE = 57
const SMALL_A = 97
const SMALL_F = 102

/** Whether it is a commit id, whole or short: 7 to 40 hexadecimal digits, numerals and small letters among them. */
export function isCommitId(text: string, start: number, end: number): boolean {
  if (end - start < COMMIT_CHARS_MIN || end - start > COMMIT_CHARS_MAX) return false
  let numerals = 0
  for (let at = start; at < end; at += 1) {
    const code = text.charCodeAt(at)
    if (code <= NINE && classAt(text, at) === DIGIT) numerals += 1
    else if (code < SMALL_A || code > SMALL_F) return false
  }
  return numerals > 0 && numerals < end - start
}

/** Errors and signals of POSIX (<errno.h>, <signal.h>) that programs print: capitals alone do not tell them from a shout. */
const SYSTEM_ERRORS: ReadonlySet<string> = new Set(
  (
    'EACCES EADDRINUSE EADDRNOTAVAIL EAGAIN EALREADY EBADF EBUSY ECANCELED ECONNABORTED ECONNREFUSED ECONNRESET EDEADLK ' +
    'EDESTADDRREQ EDQUOT EEXIST EFAULT EFBIG EHOSTDOWN EHOSTUNREACH EILSEQ EINPROGRESS EINTR EINVAL EISCONN EISDIR ELOOP ' +
    'EMFILE EMLINK EMSGSIZE ENAMETOOLONG ENETDOWN ENETRESET ENETUNREACH ENFILE ENOBUFS ENODEV ENOENT ENOEXEC ENOLCK ENOMEM ' +
    'ENOPROTOOPT ENOSPC ENOSYS ENOTCONN ENOTDIR ENOTEMPTY ENOTFOUND ENOTSOCK ENOTSUP EOVERFLOW EPERM EPIPE EPROTO ' +
    'EPROTONOSUPPORT EROFS ESPIPE ESRCH ESTALE ETIMEDOUT ETXTBSY EWOULDBLOCK EXDEV ' +
    'SIGABRT SIGALRM SIGBUS SIGCHLD SIGFPE SIGHUP SIGILL SIGINT SIGKILL SIGPIPE SIGQUIT SIGSEGV SIGSTOP SIGTERM SIGTRAP'
  ).split(' '),
)

interface Shape {
  readonly letters: number
  readonly capitals: number
  readonly digits: number
  /** Changes from a small letter to a capital. */
  readonly humps: number
  readonly underscores: number
  readonly slashes: number
  readonly dots: number
  readonly hyphens: number
  /** `#`, `@`, `::`. */
  readonly hashes: number
  readonly shortestPart: number
}

// `session.ts`, `example.com`, `1.2.3`, `v1.2`; neither `e.g`, `3.5` nor `7.30`.
function isDottedName(shape: Shape): boolean {
  if (shape.letters === 0) return shape.dots > 1
  return shape.shortestPart > 1 || shape.digits > 0
}

// UUIDs, dates, `JIRA-123`, `CVE-2024-1`; neither `long-term` nor `3-year-old`.
function isHyphenatedName(shape: Shape): boolean {
  if (shape.digits === 0) return false
  return (shape.hyphens > 1 && shape.digits > 3) || shape.capitals > 1
}

// `TS2345`, `a1b2c3d4`; neither `5pm` nor `20th`.
function isCode(shape: Shape): boolean {
  if (shape.letters === 0) return false
  return (shape.capitals > 0 && shape.digits > 2) || (shape.digits > 1 && shape.letters + shape.digits > 6)
}

function shapeOf(text: string, start: number, end: number): Shape {
  const seen = { _: 0, '/': 0, '.': 0, '-': 0, other: 0 }
  let letters = 0
  let capitals = 0
  let digits = 0
  let humps = 0
  let part = 0
  let shortestPart = end - start
  for (let at = start; at < end; at += 1) {
    const here = classAt(text, at)
    if (isWordClass(here)) {
      part += 1
      if (here === DIGIT) digits += 1
      else letters += 1
      if (here !== CAPITAL) continue
      capitals += 1
      if (part > 1 && classAt(text, at - 1) !== CAPITAL) humps += 1
      continue
    }
    if (part > 0) shortestPart = Math.min(shortestPart, part)
    part = 0
    const joint = text.charAt(at)
    if (joint === '_' || joint === '/' || joint === '.' || joint === '-') seen[joint] += 1
    else seen.other += 1
  }
  return {
    letters,
    capitals,
    digits,
    humps,
    underscores: seen._,
    slashes: seen['/'],
    dots: seen['.'],
    hyphens: seen['-'],
    hashes: seen.other,
    shortestPart: Math.min(shortestPart, part),
  }
}
