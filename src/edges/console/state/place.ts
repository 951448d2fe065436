import { signal } from '@preact/signals'

// Where the reader is stands in the fragment of the address, which no server is sent: a screen, an id, tenant, scope and
// filters from closed sets or ids. Free text is never in it.

/** The screens in the order of their keys, 1 to 9, and the question that each of them answers. */
export const SCREENS = [
  { name: 'overview', title: 'Overview', question: 'Is memory in good health?' },
  { name: 'guides', title: 'Guides', question: 'What did the agent see, and why?' },
  { name: 'memories', title: 'Memory', question: 'Where does a memory come from, and what came of it?' },
  { name: 'review', title: 'Review', question: 'What waits for a person?' },
  { name: 'radius', title: 'Blast radius', question: 'What has a memory touched?' },
  { name: 'rules', title: 'Rules', question: 'Which rule decides, how often, and with what outcome?' },
  { name: 'effect', title: 'Effect', question: 'Does memory help?' },
  { name: 'live', title: 'Live', question: 'What happens right now?' },
  { name: 'moment', title: 'At a moment', question: 'What did an agent see at that time?' },
] as const
export type ScreenName = (typeof SCREENS)[number]['name'] | 'scopes'

export interface Place {
  readonly screen: ScreenName
  readonly id: string | null
  readonly tenant: string
  /** Null: none is chosen yet. */
  readonly scope: string | null
  readonly filters: Readonly<Record<string, string>>
}

const TENANT = 'default'

function isScreen(name: string | undefined): name is ScreenName {
  return name === 'scopes' || SCREENS.some((screen) => screen.name === name)
}

export function placeOf(hash: string): Place {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?', 2)
  const [name, id] = path.split('/').map(decoded)
  const { tenant, scope, ...filters } = Object.fromEntries(new URLSearchParams(query))
  return {
    screen: isScreen(name) ? name : 'overview',
    id: id === undefined || id === '' ? null : id,
    tenant: tenant || TENANT,
    scope: scope || null,
    filters,
  }
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

export const place = signal<Place>(placeOf(location.hash))
addEventListener('hashchange', () => {
  place.value = placeOf(location.hash)
})

type Target = Partial<Omit<Place, 'filters'>> & { readonly filters?: Readonly<Record<string, string | null>> }

/** The link to a place; tenant and scope stay as they are unless named. */
export function linkTo(target: Target): string {
  const { screen, tenant, scope } = { ...place.value, ...target }
  const id = target.id ?? null
  const filters = Object.entries(target.filters ?? {}).filter(([, value]) => value !== null && value !== '')
  const query = new URLSearchParams({
    tenant,
    ...(scope === null ? {} : { scope }),
    ...Object.fromEntries(filters),
  })
  return `#/${screen}${id === null ? '' : `/${encodeURIComponent(id)}`}?${query}`
}

export function goTo(target: Target): void {
  location.hash = linkTo(target)
}

/** Tenant and scope of the place, as fields of a request. */
export function where(): { readonly tenant_id: string; readonly scope: string } {
  return { tenant_id: place.value.tenant, scope: place.value.scope ?? '' }
}
