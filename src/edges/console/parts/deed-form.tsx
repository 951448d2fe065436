import { useEffect, useRef, useState } from 'preact/hooks'
import { carryOut, type Deed, type Tried, trialOf } from '../state/deeds.ts'
import { session } from '../state/session.ts'
import { useRead } from '../state/use-read.ts'
import { isReached, type Refusal } from '../wire/exchange.ts'
import { MemoryLink, Refused } from './common.tsx'
import { wordOf } from './words.ts'

/** Deeds as buttons. One that is chosen says what it changes and asks why, before anything is sent. */
export function Deeds({ deeds, label }: { readonly deeds: readonly Deed[]; readonly label: string }) {
  const [chosen, setChosen] = useState<string | null>(null)
  if (!session.value.mayWrite) return null
  const deed = deeds.find(({ name }) => name === chosen)
  return (
    <div class="deeds" role="group" aria-label={label}>
      <div class="deed-names">
        {deeds.map(({ name }) => (
          <button
            key={name}
            type="button"
            aria-expanded={chosen === name}
            class={chosen === name ? 'is-chosen' : ''}
            onClick={() => setChosen(chosen === name ? null : name)}
          >
            {name}
          </button>
        ))}
      </div>
      {deed !== undefined && <DeedForm key={deed.name} deed={deed} onEnd={() => setChosen(null)} />}
    </div>
  )
}

/** What the service would change by it, before it is asked to. */
function Trial({ deed }: { readonly deed: Deed }) {
  const { answer, refusal } = useRead<Tried>(trialOf(deed))
  if (refusal !== null) return <Refused refusal={refusal} />
  const changes = answer?.changes ?? []
  if (answer === null) return null
  if (changes.length === 0) return <p class="soft">No memory changes its state by it.</p>
  return (
    <ul class="rows" aria-label="What would change">
      {changes.map(({ memory_id: id, facet, to }) => (
        <li key={`${id} ${facet}`}>
          <MemoryLink id={id} />
          <span class="soft">{to === null ? `${facet} ends` : `${facet}: ${wordOf(to)}`}</span>
        </li>
      ))}
    </ul>
  )
}

function DeedForm({ deed, onEnd }: { readonly deed: Deed; readonly onEnd: () => void }) {
  const [refusal, setRefusal] = useState<Refusal | null>(null)
  const [isSending, setSending] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])
  const send = async (event: SubmitEvent) => {
    event.preventDefault()
    const reason = field.current?.value.trim() ?? ''
    if (reason === '') return
    setSending(true)
    const refused = await carryOut(deed, reason)
    setSending(false)
    setRefusal(refused)
    if (refused === null) onEnd()
  }
  return (
    <form class="deed-form" onSubmit={(event) => void send(event)}>
      <p class="effect">{deed.effect}</p>
      <Trial deed={deed} />
      <label>
        <span>Reason, for the audit</span>
        <input ref={field} type="text" required maxLength={2048} autocomplete="off" />
      </label>
      <div class="deed-ends">
        <button type="submit" class="primary" disabled={isSending || !isReached.value}>
          {deed.name}
        </button>
        <button type="button" class="quiet" onClick={onEnd}>
          Cancel
        </button>
      </div>
      {refusal !== null && <Refused refusal={refusal} />}
    </form>
  )
}
