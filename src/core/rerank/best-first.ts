/** The places, the best one first, put in order as they are asked for; the array is used up. No two may be equally good. */
export function* bestFirst(heap: Int32Array, isBetter: (a: number, b: number) => boolean): Generator<number> {
  const size = heap.length
  for (let at = (size >> 1) - 1; at >= 0; at -= 1) sink(heap, at, size, heap[at] ?? 0, isBetter)
  for (let left = size; left > 0; left -= 1) {
    yield heap[0] ?? 0
    sink(heap, 0, left - 1, heap[left - 1] ?? 0, isBetter)
  }
}

/** Puts a place into the heap of `size` from `from` on, where better ones rise. */
function sink(
  heap: Int32Array,
  from: number,
  size: number,
  place: number,
  isBetter: (a: number, b: number) => boolean,
): void {
  let at = from
  for (;;) {
    let child = at * 2 + 1
    if (child >= size) break
    if (child + 1 < size && isBetter(heap[child + 1] ?? 0, heap[child] ?? 0)) child += 1
    const better = heap[child] ?? 0
    if (isBetter(place, better)) break
    heap[at] = better
    at = child
  }
  heap[at] = place
}
