import { useState } from 'preact/hooks'
import { Head, Listed, Table, TextField, When } from '../parts/common.tsx'
import { HostileText } from '../parts/hostile-text.tsx'
import { numeral } from '../parts/words.ts'
import { goTo, linkTo, place } from '../state/place.ts'
import { session } from '../state/session.ts'
import { usePages } from '../state/use-read.ts'
import { get, type Scope } from '../wire/call.ts'

const PAGE = 100

/** Where everything begins: one scope of one tenant. Nothing is ever shown of two at once. */
export function ScopesScreen() {
  const tenant = tenantOfNow()
  const { scopes, entersAll } = session.value
  const call = entersAll ? get('/v1/operator/actors', { tenant_id: tenant, limit: PAGE }) : null
  const pages = usePages<Scope>(call)
  return (
    <>
      <Head title="Choose a scope" calls={call === null ? [] : [call]} />
      <Choose key={tenant} tenant={tenant} />
      <ul class="rows">
        {scopes.map((scope) => (
          <li key={scope}>
            <a data-row href={linkTo({ screen: 'overview', tenant, scope })}>
              <HostileText text={scope} />
            </a>
          </li>
        ))}
      </ul>
      <Listed
        pages={pages}
        none={
          entersAll
            ? 'This tenant has no scope yet. The first observe or guide makes one.'
            : 'Your key enters some scopes only, so that no others are listed: name one to show it.'
        }
      >
        {pages.items.length > 0 && (
          <Table
            kind="list"
            label="Scopes"
            columns={[
              'Scope',
              ['Memories', 'number'],
              ['Guides', 'number'],
              ['Disputes, also past', 'number'],
              ['Last memory', 'spare'],
            ]}
          >
            {pages.items.map((scope) => (
              <tr key={scope.scope}>
                <td>
                  <a data-row href={linkTo({ screen: 'overview', tenant, scope: scope.scope })}>
                    <HostileText text={scope.scope} />
                  </a>
                </td>
                <Count count={scope.memory_count} />
                <Count count={scope.guide_count} />
                <Count count={scope.dispute_count} />
                <td class="spare">{scope.last_memory_at !== null && <When at={scope.last_memory_at} />}</td>
              </tr>
            ))}
          </Table>
        )}
      </Listed>
    </>
  )
}

function Count({ count }: { readonly count: number | null }) {
  return <td class="number">{count === null ? <span class="soft">not loaded</span> : numeral(count)}</td>
}

/** A key of one tenant shows that one, also where a link or whoever was logged in before named another. */
function tenantOfNow(): string {
  return session.value.tenant ?? place.value.tenant
}

function Choose({ tenant }: { readonly tenant: string }) {
  const [typed, setTyped] = useState(tenant)
  const [scope, setScope] = useState('')
  const isFixed = session.value.tenant !== null
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const name = scope.trim()
    goTo({
      screen: name === '' ? 'scopes' : 'overview',
      tenant: typed.trim(),
      scope: name === '' ? null : name,
    })
  }
  return (
    <form class="filters" aria-label="Tenant and scope" onSubmit={submit}>
      <TextField label="Tenant" value={typed} disabled={isFixed} required onType={setTyped} />
      <TextField label="Scope" value={scope} placeholder="any of the list" onType={setScope} />
      <button type="submit">Show</button>
    </form>
  )
}
