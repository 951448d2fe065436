import { readFileSync } from 'node:fs'
import type { Kind } from '../load/mix.ts'
import { mulberry32, zipfPlaces } from '../synthetic-text.ts'
import { KINDS } from './constants.ts'

/** Requests as they come: what each is, and for which scope. */
export interface Load {
  readonly name: string
  readonly scopes: number
  next(): { readonly kind: Kind; readonly scope: number }
}

const GUIDE_SHARE = 0.7
const OBSERVE_SHARE = 0.2

/** As `bench/load/mix.ts` sends: of all scopes the n-th is asked 1/n as often as the first, or each as often as any. */
export function drawnLoad(seed: number, scopes: number, isEven: boolean): Load {
  const random = mulberry32(seed)
  const zipf = zipfPlaces(random, scopes)
  return {
    name: isEven ? 'even' : 'Zipf',
    scopes,
    next() {
      const drawn = random()
      const kind =
        drawn < GUIDE_SHARE ? 'guide' : drawn < GUIDE_SHARE + OBSERVE_SHARE ? 'observe' : 'feedback'
      return { kind, scope: isEven ? Math.floor(random() * scopes) : zipf() }
    },
  }
}

/** Operations of a request log by the kind that they cost as; what is not there is left out. */
const COSTS_AS: Readonly<Record<string, Kind>> = {
  guide: 'guide',
  govern: 'guide',
  rehydrate: 'guide',
  observe: 'observe',
  finish: 'observe',
  feedback: 'feedback',
  forget: 'feedback',
}

/**
 * What a service wrote with `--request-log`: its requests in their order, again and again. Throws an Error for a file without any.
 */
export function recordedLoad(file: string): Load {
  const places = new Map<string, number>()
  const requests: { readonly kind: Kind; readonly scope: number }[] = []
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    if (line === '') continue
    const said: unknown = JSON.parse(line)
    const { operation, tenant, scope }: Record<string, unknown> = { ...Object(said) }
    const kind = COSTS_AS[String(operation)]
    if (kind === undefined || typeof scope !== 'string') continue
    const place = `${String(tenant)} ${scope}`
    if (!places.has(place)) places.set(place, places.size)
    requests.push({ kind, scope: places.get(place) ?? 0 })
  }
  const [first] = requests
  if (first === undefined)
    throw new Error(`${file}: no line of a request log with one of ${KINDS.join(', ')}`)
  let at = 0
  return {
    name: 'recorded',
    scopes: places.size,
    next: () => requests[at++ % requests.length] ?? first,
  }
}
