/** One line of the text format of Prometheus. */
export interface Sample {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

export interface Exposition {
  /** Type of each metric, by name. */
  readonly types: ReadonlyMap<string, string>
  readonly samples: readonly Sample[]
  /** Value of the one sample of that name whose labels hold these; null: there is none. */
  readonly value: (name: string, labels?: Readonly<Record<string, string>>) => number | null
}

const SAMPLE = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$/
const LABEL = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\]|\\.)*)"(?:,|$)/gy

/** @throws when a line is not of the format, a sample comes twice, or one is of no metric that was announced */
export function parseExposition(text: string): Exposition {
  const types = new Map<string, string>()
  const samples: Sample[] = []
  const seen = new Set<string>()
  if (!text.endsWith('\n')) throw new Error('the last line has no end')
  for (const line of text.split('\n')) {
    if (line === '' || line.startsWith('# HELP ')) continue
    const type = /^# TYPE (\S+) (counter|gauge|histogram|summary)$/.exec(line)
    if (type !== null) {
      types.set(type[1] ?? '', type[2] ?? '')
      continue
    }
    const sample = parseSample(line)
    const place = line.slice(0, line.lastIndexOf(' '))
    if (seen.has(place)) throw new Error(`twice: ${place}`)
    seen.add(place)
    if (
      !types.has(sample.name) &&
      types.get(sample.name.replace(/_(bucket|sum|count)$/, '')) !== 'histogram'
    ) {
      throw new Error(`of no metric: ${line}`)
    }
    samples.push(sample)
  }
  const value = (name: string, labels: Readonly<Record<string, string>> = {}) => {
    const found = samples.filter(
      (sample) =>
        sample.name === name &&
        Object.entries(labels).every(([label, word]) => sample.labels[label] === word),
    )
    if (found.length > 1) throw new Error(`more than one ${name}`)
    return found[0]?.value ?? null
  }
  return { types, samples, value }
}

function parseSample(line: string): Sample {
  const [, name = '', list = '', number = ''] = SAMPLE.exec(line) ?? []
  const value = number === '+Inf' ? Number.POSITIVE_INFINITY : Number(number)
  // The delay of an event loop that was not measured yet.
  const isNumber = !Number.isNaN(value) || number.toLowerCase() === 'nan'
  if (name === '' || !isNumber) throw new Error(`no sample: ${line}`)
  const labels: Record<string, string> = {}
  let end = 0
  LABEL.lastIndex = 0
  for (const match of list.matchAll(LABEL)) {
    labels[match[1] ?? ''] = match[2] ?? ''
    end += match[0].length
  }
  if (end !== list.length) throw new Error(`no labels: ${line}`)
  return { name, labels, value }
}
