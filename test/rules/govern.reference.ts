// What govern must answer, written down a second time from the specification and without the table of the source: for
// each of the four requirements, each mode and each hint one letter per source trust, in the order trusted, known,
// untrusted, unknown. U use_now, I inspect_before_use, R rehydrate, D do_not_use.

type Letters = string

const HINTS = [
  'current',
  'procedure',
  'unknown',
  'stale',
  'contested',
  'failed',
  'archived',
  'suppressed',
] as const
const MODES = ['standard', 'strict', 'firewall'] as const
const REQUIREMENTS = ['none', 'inspect_before_use', 'rehydrate_before_use', 'blocked'] as const
const TRUSTS = ['trusted', 'known', 'untrusted', 'unknown'] as const

//            current procedure unknown stale contested failed archived suppressed
const GRID: Readonly<
  Record<(typeof REQUIREMENTS)[number], Readonly<Record<(typeof MODES)[number], Letters>>>
> = {
  none: {
    standard: 'UUII UUII IIII IIII IIII IIII DDDD DDDD',
    strict: '  UIII UIII IIII IIII IIII IIII DDDD DDDD',
    firewall: 'UIII UIII IIII DDDD DDDD DDDD DDDD DDDD',
  },
  inspect_before_use: {
    standard: 'IIII IIII IIII IIII IIII IIII DDDD DDDD',
    strict: '  IIII IIII IIII IIII IIII IIII DDDD DDDD',
    firewall: 'IIII IIII IIII DDDD DDDD DDDD DDDD DDDD',
  },
  rehydrate_before_use: {
    standard: 'RRRR RRRR RRRR RRRR RRRR RRRR DDDD DDDD',
    strict: '  RRRR RRRR RRRR RRRR RRRR RRRR DDDD DDDD',
    firewall: 'RRRR RRRR RRRR RRRR RRRR RRRR DDDD DDDD',
  },
  blocked: {
    standard: 'DDDD DDDD DDDD DDDD DDDD DDDD DDDD DDDD',
    strict: '  DDDD DDDD DDDD DDDD DDDD DDDD DDDD DDDD',
    firewall: 'DDDD DDDD DDDD DDDD DDDD DDDD DDDD DDDD',
  },
}

const SURFACES = { U: 'use_now', I: 'inspect_before_use', R: 'rehydrate', D: 'do_not_use' } as const
type Letter = keyof typeof SURFACES

export interface GridRow {
  readonly mode: (typeof MODES)[number]
  readonly requirement: (typeof REQUIREMENTS)[number]
  readonly hint: (typeof HINTS)[number]
  readonly trust: (typeof TRUSTS)[number]
  /** Nothing else is known of the candidate. */
  readonly plain: Letter
  /** Its metadata names another scope. */
  readonly elsewhere: Letter
}

/** All 384 combinations. */
export function gridRows(): readonly GridRow[] {
  return REQUIREMENTS.flatMap((requirement) =>
    MODES.flatMap((mode) =>
      GRID[requirement][mode]
        .trim()
        .split(' ')
        .flatMap((letters, at) =>
          letters.split('').map((letter, column) => {
            const plain = letterOf(letter)
            const hint = HINTS[at] ?? 'unknown'
            const trust = TRUSTS[column] ?? 'unknown'
            return { mode, requirement, hint, trust, plain, elsewhere: elsewhereOf(plain, mode) }
          }),
        ),
    ),
  )
}

export function surfaceOf(letter: Letter): (typeof SURFACES)[Letter] {
  return SURFACES[letter]
}

/** In firewall mode another scope is blocked; in the others it takes direct use away and nothing more. */
function elsewhereOf(plain: Letter, mode: GridRow['mode']): Letter {
  if (mode === 'firewall') return 'D'
  return plain === 'U' ? 'I' : plain
}

function letterOf(letter: string): Letter {
  if (letter === 'U' || letter === 'I' || letter === 'R' || letter === 'D') return letter
  throw new Error(`no such letter: ${letter}`)
}
