/** Lines before and behind a change that are shown with it. */
const AROUND = 3
/** Pairs of lines that are compared; beyond them the change is shown as one piece. */
const PAIRS_MAX = 4_000_000

interface Line {
  readonly sign: ' ' | '-' | '+'
  readonly text: string
}

/** What changes between two texts, as people read it; null stands for no file. */
export function textDiff(path: string, before: string | null, after: string | null): readonly string[] {
  const lines = compared(linesOf(before), linesOf(after))
  const isNear = (at: number): boolean =>
    lines.slice(Math.max(0, at - AROUND), at + AROUND + 1).some(({ sign }) => sign !== ' ')
  const shown = lines.flatMap(({ sign, text }, at) => {
    if (isNear(at)) return [`${sign}${text}`]
    return at > 0 && isNear(at - 1) ? ['@@'] : []
  })
  const name = (text: string | null): string => (text === null ? '(no file)' : path)
  return [`--- ${name(before)}`, `+++ ${name(after)}`, ...shown]
}

function linesOf(text: string | null): readonly string[] {
  if (text === null || text === '') return []
  const lines = text.replaceAll('\r\n', '\n').split('\n')
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines
}

function compared(before: readonly string[], after: readonly string[]): readonly Line[] {
  let head = 0
  while (head < Math.min(before.length, after.length) && before[head] === after[head]) head += 1
  let tail = 0
  while (
    tail < Math.min(before.length, after.length) - head &&
    before[before.length - 1 - tail] === after[after.length - 1 - tail]
  ) {
    tail += 1
  }
  const same = (lines: readonly string[]): readonly Line[] => lines.map((text) => ({ sign: ' ', text }))
  return [
    ...same(before.slice(0, head)),
    ...changed(before.slice(head, before.length - tail), after.slice(head, after.length - tail)),
    ...same(before.slice(before.length - tail)),
  ]
}

/** By the longest sequence of lines that both have. */
function changed(before: readonly string[], after: readonly string[]): readonly Line[] {
  const isLong = before.length * after.length > PAIRS_MAX
  const width = after.length + 1
  const common = new Uint32Array(isLong ? 0 : (before.length + 1) * width)
  for (let i = isLong ? -1 : before.length - 1; i >= 0; i -= 1) {
    for (let j = after.length - 1; j >= 0; j -= 1) {
      const [down, right] = [common[(i + 1) * width + j] ?? 0, common[i * width + j + 1] ?? 0]
      const diagonal = (common[(i + 1) * width + j + 1] ?? 0) + 1
      common[i * width + j] = before[i] === after[j] ? diagonal : Math.max(down, right)
    }
  }
  const lines: Line[] = []
  let [i, j] = [0, 0]
  while (i < before.length || j < after.length) {
    const [old, made] = [before[i], after[j]]
    if (!isLong && old !== undefined && old === made) {
      lines.push({ sign: ' ', text: old })
      i += 1
      j += 1
    } else if (
      old !== undefined &&
      (made === undefined || (common[(i + 1) * width + j] ?? 0) >= (common[i * width + j + 1] ?? 0))
    ) {
      lines.push({ sign: '-', text: old })
      i += 1
    } else if (made !== undefined) {
      lines.push({ sign: '+', text: made })
      j += 1
    }
  }
  return lines
}
