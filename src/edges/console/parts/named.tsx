import { where } from '../state/place.ts'
import { useRead } from '../state/use-read.ts'
import type { Memories } from '../wire/answers.ts'
import { get } from '../wire/call.ts'
import { MemoryLink } from './common.tsx'
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
