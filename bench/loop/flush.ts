import { closeSync, fdatasyncSync, fsyncSync, openSync, writeSync } from 'node:fs'

const BLOCK_BYTES = 4_096
const FILE_BYTES = 16 * 1024 * 1024

export interface FlushProbe {
  /** Writes 4 KiB at the next place and waits until the disk has it. */
  flush(): void
  close(): void
}

/** A file zero-filled ahead, so that a write changes no metadata. */
export function openFlushProbe(path: string): FlushProbe {
  const fd = openSync(path, 'w')
  writeSync(fd, Buffer.alloc(FILE_BYTES))
  fsyncSync(fd)
  const block = Buffer.alloc(BLOCK_BYTES, 42)
  let at = 0
  return {
    flush() {
      writeSync(fd, block, 0, BLOCK_BYTES, at)
      fdatasyncSync(fd)
      at = (at + BLOCK_BYTES) % FILE_BYTES
    },
    close: () => closeSync(fd),
  }
}
