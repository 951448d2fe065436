import type { Memory } from '../wire/answers.ts'
import { MemoryLink, When } from './common.tsx'
import { HostileText } from './hostile-text.tsx'

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
