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
  const { tenant } = place.value
  const call = get('/v1/operator/actors', { tenant_id: tenant, limit: PAGE })
  const pages = usePages<Scope>(call)
  return (
    <>
      <Head title="Choose a scope" calls={[call]} />
      <Choose />
      <Listed pages={pages} none="This tenant has no scope yet. The first observe or guide makes one.">
        {pages.items.length > 0 && (
          <Table
            kind="list"
            label="Scopes"
            columns={[
              'Scope',
              ['Memories', 'number'],
              ['Guides', 'number'],
              ['Disputes', 'number'],
              ['Last memory', 'spare'],
            ]}
          >
            {pages.items.map((scope) => (
              <tr key={scope.scope}>
                <td>
                  <a data-row href={linkTo({ screen: 'overview', scope: scope.scope })}>
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

function Choose() {
  const { tenant } = place.value
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
