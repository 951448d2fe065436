import { signal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { Head, Listed, When } from '../parts/common.tsx'
import { FilterBar } from '../parts/filter-bar.tsx'
import { HostileText } from '../parts/hostile-text.tsx'
import { StateMark, SurfaceMark } from '../parts/marks.tsx'
import { STATE_WORDS, SURFACE_ORDER, surfaceWord, wordOf } from '../parts/words.ts'
import { linkTo, place, where } from '../state/place.ts'
import { usePages } from '../state/use-read.ts'
import { get, type Memory, post } from '../wire/call.ts'
import { MemoryView } from './memory.tsx'

const PAGE = 25
const TYPES = [
  'fact',
  'preference',
  'project_context',
  'procedure',
  'event',
  'evidence',
  'rule',
  'execution_memory',
] as const satisfies readonly Memory['memory_type'][]
const ORIGINS = [
  'user',
  'agent',
  'verifier',
  'tool',
  'document',
  'external',
  'unknown',
] as const satisfies readonly Memory['origin'][]

/** What is looked for by words. It is kept out of the address: free text is in no link and in no log. */
export const soughtText = signal('')

export function MemoriesScreen() {
  const { id } = place.value
  return id === null ? <MemoryList /> : <MemoryView id={id} />
}

function MemoryList() {
  const { surface, lifecycle_state, memory_type, origin, run_id } = place.value.filters
  const filters = { ...where(), surface, lifecycle_state, memory_type, origin, run_id, limit: PAGE }
  const text = soughtText.value
  const path = '/v1/operator/memories'
  const isFiltered = text !== '' || Object.keys(place.value.filters).length > 0
  const call = text === '' ? get(path, filters) : post(path, { ...filters, text, text_match: 'words' })
  const pages = usePages<Memory>(call)
  return (
    <>
      <Head calls={[call]} />
      <SearchField />
      <FilterBar
        fields={[
          { name: 'surface', label: 'Surface', options: optionsOf(SURFACE_ORDER, surfaceWord) },
          {
            name: 'lifecycle_state',
            label: 'State',
            options: Object.entries(STATE_WORDS).map(([value, label]) => ({ value, label })),
          },
          { name: 'memory_type', label: 'Type', options: optionsOf(TYPES, wordOf) },
          { name: 'origin', label: 'Origin', options: optionsOf(ORIGINS, wordOf) },
        ]}
      />
      <Listed pages={pages} none={isFiltered ? 'No memory like that.' : 'There is no memory here yet.'}>
        <ul class="memories" aria-label="Memories, the newest first">
          {pages.items.map((memory) => (
            <MemoryRow key={memory.memory_id} memory={memory} />
          ))}
        </ul>
      </Listed>
    </>
  )
}

function optionsOf(values: readonly string[], word: (value: string) => string) {
  return values.map((value) => ({ value, label: word(value) }))
}

function SearchField() {
  const field = useRef<HTMLInputElement>(null)
  const text = soughtText.value
  // The field at the head of the page looks for words too.
  useEffect(() => {
    if (field.current !== null) field.current.value = text
  }, [text])
  return (
    <search>
      <form
        class="search"
        onSubmit={(event) => {
          event.preventDefault()
          const typed = new FormData(event.currentTarget).get('words')
          soughtText.value = typeof typed === 'string' ? typed.trim() : ''
        }}
      >
        <label>
          <span class="sr-only">Words in memory</span>
          <input
            ref={field}
            type="search"
            name="words"
            placeholder="Words in title, text or summary"
            maxLength={1000}
            autocomplete="off"
            onInput={(event) => {
              if (event.currentTarget.value === '') soughtText.value = ''
            }}
          />
        </label>
        <button type="submit">Search</button>
      </form>
    </search>
  )
}

function MemoryRow({ memory }: { readonly memory: Memory }) {
  const { memory_id, text, title, surface, lifecycle_state: state, erased } = memory
  return (
    <li class="memory-row">
      <a data-row class="memory-said" href={linkTo({ screen: 'memories', id: memory_id })} title={memory_id}>
        {erased !== null ? (
          <span class="soft">Erased. What is left is its tombstone.</span>
        ) : (
          <>
            {title !== null && (
              <strong>
                <HostileText text={title} />
              </strong>
            )}
            {text !== null && text !== title && (
              <span class="excerpt">
                <HostileText text={text} />
              </span>
            )}
          </>
        )}
      </a>
      <div class="memory-marks">
        {erased === null && <SurfaceMark surface={surface} />}
        {state !== 'active' && <StateMark state={state} />}
        {memory.findings.length > 0 && <span class="tag tone-stop">screened</span>}
        {memory.disputes.length > 0 && <span class="tag tone-watch">disputed</span>}
        <span class="soft">
          {wordOf(memory.memory_type)}, {memory.origin}
          {memory.memory_lane === 'private' && ', private'}
        </span>
        <span class="soft push">
          <When at={memory.created_at} />
        </span>
      </div>
    </li>
  )
}
