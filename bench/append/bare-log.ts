import { alignUp, crcOf } from '../../src/adapters/binary/bytes.ts'
import { nodeFiles } from '../../src/adapters/files/node-files.ts'
import { DEFAULT_PAD_TO, DEFAULT_SEGMENT_BYTES } from '../../src/adapters/journal/format.ts'
import { createWorkerIo, type JournalIo } from '../../src/adapters/journal/journal-io.ts'
import { prepareSegment } from '../../src/adapters/journal/segment-preallocator.ts'

/**
 * A bare group commit: records copied into one buffer, one write and one flush for each group through the I/O thread of
 * the journal, on a file zero-filled ahead, with the same padding.
 */
class BareLog {
  readonly #io: JournalIo
  readonly #fd: number
  readonly #bytes: number
  readonly #isChecked: boolean
  #end = 0
  #records: Uint8Array[] = []
  #group: { readonly done: Promise<void>; readonly resolve: () => void } | null = null
  #isRunning = false
  /** Of the last group; kept so that computing it cannot be left out. */
  checksum = 0

  constructor(io: JournalIo, fd: number, bytes: number, isChecked: boolean) {
    this.#io = io
    this.#fd = fd
    this.#bytes = bytes
    this.#isChecked = isChecked
  }

  /** Resolves when the disk has it. */
  append(record: Uint8Array): Promise<void> {
    this.#records.push(record)
    if (this.#group === null) {
      let resolve = (): void => undefined
      const done = new Promise<void>((settle) => {
        resolve = settle
      })
      this.#group = { done, resolve }
    }
    if (!this.#isRunning) {
      this.#isRunning = true
      setImmediate(() => void this.#drain())
    }
    return this.#group.done
  }

  async close(): Promise<void> {
    await this.#io.close()
    await nodeFiles.close(this.#fd)
  }

  async #drain(): Promise<void> {
    while (this.#group !== null) {
      const { resolve } = this.#group
      const records = this.#records
      this.#group = null
      this.#records = []
      const { bytes } = this.#io.reserve(records.reduce((sum, { length }) => sum + length, 0))
      let at = 0
      let checksum = 0
      for (const record of records) {
        bytes.set(record, at)
        if (this.#isChecked) checksum ^= crcOf(bytes.subarray(at, at + record.length))
        at += record.length
      }
      if (this.#isChecked) checksum ^= crcOf(bytes.subarray(0, at))
      const size = alignUp(at, DEFAULT_PAD_TO)
      if (this.#end + size > this.#bytes) this.#end = 0
      await this.#io.write(this.#fd, this.#end, size, true)
      this.#end += size
      this.checksum = checksum
      resolve()
    }
    this.#isRunning = false
  }
}

/** With the checksums of the journal, one a record and one a group, when `isChecked`. */
export async function openBareLog(dir: string, isChecked: boolean): Promise<BareLog> {
  const { fd, bytes } = await prepareSegment(nodeFiles, dir, 1, DEFAULT_SEGMENT_BYTES, null)
  return new BareLog(createWorkerIo(), fd, bytes, isChecked)
}
