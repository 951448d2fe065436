import fs from 'node:fs'

/**
 * Device and inode of an open file or folder. While it is open no other file can get them, whatever happens to its
 * name.
 */
export function identityOf(fd: number): string {
  return textOf(fs.fstatSync(fd, { bigint: true }))
}

/** The same of what lies under a name. Without one: the code of the error. Never rejects. */
export function identityAt(
  path: string,
): Promise<{ readonly identity: string | null; readonly code: string; readonly bytes: number }> {
  return new Promise((resolve) => {
    fs.stat(path, { bigint: true }, (error, found) => {
      if (error === null) resolve({ identity: textOf(found), code: '', bytes: Number(found.size) })
      else resolve({ identity: null, code: error.code ?? error.message, bytes: 0 })
    })
  })
}

function textOf({ dev, ino }: fs.BigIntStats): string {
  return `${dev}:${ino}`
}
