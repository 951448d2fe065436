import { useEffect, useState } from 'preact/hooks'
import { goTo, place } from '../state/place.ts'

export interface FilterField {
  readonly name: string
  readonly label: string
  /** Left out: an id that is typed. */
  readonly options?: readonly { readonly value: string; readonly label: string }[]
}

/** Filters of a list. They stand in the address, so that a link names them. */
export function FilterBar({ fields }: { readonly fields: readonly FilterField[] }) {
  const { filters } = place.value
  const apply = (name: string, value: string) =>
    goTo({ filters: { ...filters, [name]: value.trim() === '' ? null : value.trim() } })
  const isFiltered = fields.some(({ name }) => filters[name] !== undefined)
  return (
    <form class="filters" aria-label="Filters" onSubmit={(event) => event.preventDefault()}>
      {fields.map((field) => (
        <label key={field.name}>
          <span>{field.label}</span>
          {field.options === undefined ? (
            <TypedFilter
              value={filters[field.name] ?? ''}
              label={field.label}
              onDone={(value) => apply(field.name, value)}
            />
          ) : (
            <select
              value={filters[field.name] ?? ''}
              onChange={(event) => apply(field.name, event.currentTarget.value)}
            >
              <option value="">any</option>
              {field.options.map(({ value, label }) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </select>
          )}
        </label>
      ))}
      {isFiltered && (
        <button type="button" class="quiet" onClick={() => goTo({ filters: {} })}>
          Clear
        </button>
      )}
    </form>
  )
}

function TypedFilter(props: {
  readonly value: string
  readonly label: string
  readonly onDone: (value: string) => void
}) {
  const [typed, setTyped] = useState(props.value)
  useEffect(() => setTyped(props.value), [props.value])
  return (
    <input
      type="text"
      value={typed}
      placeholder="any"
      spellcheck={false}
      autocomplete="off"
      onInput={(event) => setTyped(event.currentTarget.value)}
      onChange={(event) => props.onDone(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') props.onDone(event.currentTarget.value)
      }}
    />
  )
}
