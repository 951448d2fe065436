import { hash, randomBytes, timingSafeEqual } from 'node:crypto'

// mg_<id>_<secret>: the id is 12 digits of base 32 hex and stands in logs and lists; the secret is 32 random bytes in
// base64url, shown once. Of that only the SHA-256 is kept: with 256 random bits there is nothing to guess, so that a slow
// hash would only slow down requests.

const PREFIX = 'mg'
const ID_BYTES = 8
const ID_CHARS = 12
const SECRET_BYTES = 32
const TOKEN = /^mg_([0-9a-z]{12})_([A-Za-z0-9_-]{43})$/
const DIGITS = '0123456789abcdefghijklmnopqrstuv'

export const KEY_ID = /^[0-9a-v]{12}$/

/** What is kept of a secret: SHA-256, 64 hex digits. */
export type SecretHash = string

/** Of no secret: what a token is compared with that names no key. */
const NO_HASH: SecretHash = '0'.repeat(64)

export function newKeyId(): string {
  const bits = randomBytes(ID_BYTES)
  let rest = bits.readBigUInt64BE()
  let id = ''
  while (id.length < ID_CHARS) {
    id += DIGITS[Number(rest & 31n)]
    rest >>= 5n
  }
  return id
}

/** A token for a key with a secret that nobody has had before. */
export function newToken(keyId: string) {
  const secret = randomBytes(SECRET_BYTES).toString('base64url')
  return { token: `${PREFIX}_${keyId}_${secret}`, secretHash: hash('sha256', secret, 'hex') }
}

/**
 * The key that a token names when the secret is that of the key, else null. Work and comparison are the same whatever is
 * wrong with it: the key is looked up once, before anything is known.
 */
export function keyNamedBy<Key extends { readonly secretHash: SecretHash }>(
  token: string,
  keyOf: (keyId: string) => Key | undefined,
): Key | null {
  const [, keyId = '', secret = token] = TOKEN.exec(token) ?? []
  const known = keyOf(keyId)
  const isRight = timingSafeEqual(
    Buffer.from(hash('sha256', secret, 'hex'), 'latin1'),
    Buffer.from(known?.secretHash ?? NO_HASH, 'latin1'),
  )
  return isRight && known !== undefined ? known : null
}
