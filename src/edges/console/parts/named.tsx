import { where } from '../state/place.ts'
import { useRead } from '../state/use-read.ts'
import type { Memories, Memory } from '../wire/answers.ts'
import { get } from '../wire/call.ts'
import { MemoryLink, When } from './common.tsx'
import { HostileText } from './hostile-text.tsx'
import { shortened } from './words.ts'

/** A memory by the name that is known of it, else by what it says now. */
export function Named({ id, name }: { readonly id: string; readonly name: string | undefined }) {
  const call = name === undefined ? get('/v1/operator/memories', { ...where(), memory_id: id }) : null
  const [memory] = useRead<Memories>(call).answer?.items ?? []
  const said = name ?? memory?.title ?? memory?.text ?? ''
  return (
    <>
      <MemoryLink id={id} /> <HostileText text={shortened(said)} />
    </>
  )
}

/** Who said a memory, when, and which one it is. */
export function SaidBy({ memory }: { readonly memory: Memory }) {
  return (
    <>
      {memory.origin}
      {memory.producer_agent_id !== null && (
        <>
          {' '}
          by <HostileText text={memory.producer_agent_id} />
        </>
      )}
      , <When at={memory.created_at} />, <MemoryLink id={memory.memory_id} />
    </>
  )
}
