/** What a cursor cannot read, though it may be good msgpack: the whole of it is then unpacked in the ordinary way. */
export class UnreadTable extends Error {
  override readonly name = 'UnreadTable'
}

/** Where values stand that were read, and which record shapes they were read by. */
export interface Span<Value> {
  readonly from: number
  readonly to: number
  readonly shapes: number
  readonly value: Value
}

const SHAPE_TYPE = 0x72
/** Longer texts are hardly repeated. Bytes. */
const WORD_BYTES_MAX = 40
const WORDS_KEPT = 512
/** So many objects are read at once. Each may have names of its own, and then takes longer than a hundred characters of text. */
const OBJECTS_MAX = 4_000
/** Values that `valueSteps` reads between two rests: three milliseconds when each is an object with names of its own. */
const STEP_VALUES = 1_000

/**
 * Reads what a packer of tables wrote, value by value, so that no row has to become an object first. Values that stand there
 * in the same bytes as before need not be read again, see `again`. Every method throws UnreadTable on what it does not expect;
 * the bytes have been checked, so that this is no damage.
 *
 *   0x40-0x7f            record: the values of the shape that has this number
 *   0xd4 0x72 n [keys]   a shape: from here on n stands for these keys; its first record follows
 */
export class TableCursor {
  #bytes: Buffer = Buffer.alloc(0)
  #at = 0
  readonly #shapes = new Map<number, readonly string[]>()
  #shapesRead = 0
  #objectsLeft = OBJECTS_MAX
  readonly #isTabular: boolean
  // Names and words of closed sets come again and again: making a string costs more than to compare one.
  readonly #words: (string | undefined)[] = new Array(WORDS_KEPT)

  /** @param isTabular false: what is read is no table, and `valueSteps` alone reads it */
  constructor(isTabular = true) {
    this.#isTabular = isTabular
  }

  /** Goes to the beginning of other bytes. What was read of earlier ones stays good, but cannot be met again. */
  begin(bytes: Buffer): void {
    this.#bytes = bytes
    this.#at = 0
    this.#shapes.clear()
    this.#shapesRead += 1
    this.#objectsLeft = OBJECTS_MAX
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length
  }

  /** Reads the head of a list: the number of its items, which follow. */
  list(): number {
    const token = this.#byte()
    if (token >= 0x90 && token < 0xa0) return token - 0x90
    if (token === 0xdc) return this.#number(2)
    throw new UnreadTable(`no list but ${token}`)
  }

  /** Reads the head of a record: its keys, of which the values follow. */
  record(): readonly string[] {
    const token = this.#byte()
    return token === 0xd4 ? this.#shape() : this.#known(token)
  }

  /** `read`, or what it gave the last time if the same bytes stand here again. `read` must move the cursor forward. */
  again<Value>(last: Span<Value> | null, read: () => Value): Span<Value> {
    if (last !== null && last.shapes === this.#shapesRead && this.#stands(last)) {
      this.#at += last.to - last.from
      return last
    }
    const from = this.#at
    const value = read()
    return { from, to: this.#at, shapes: this.#shapesRead, value }
  }

  text(): string {
    const value = this.value()
    if (typeof value !== 'string') throw new UnreadTable('no text')
    return value
  }

  number(): number {
    const value = this.value()
    if (typeof value !== 'number') throw new UnreadTable('no number')
    return value
  }

  value(): unknown {
    const token = this.#byte()
    if (token < 0x40) return token
    if (token < 0x80) return this.#isTabular ? this.#object(this.#known(token)) : token
    if (token < 0x90) throw new UnreadTable('a map')
    if (token < 0xa0) return this.#items(token - 0x90)
    if (token < 0xc0) return this.#text(token - 0xa0)
    if (token >= 0xe0) return token - 0x100
    return this.#marked(token)
  }

  /**
   * As `value`, of any size, with a rest after every so many values.
   * @param textOf what a text stands for, the name of a field too
   */
  *valueSteps(textOf: (text: string) => string): Generator<void, unknown> {
    return this.#opens() ? yield* this.#openedSteps({ left: STEP_VALUES, textOf }) : this.#plain(textOf)
  }

  *#openedSteps(reading: Reading): Generator<void, unknown> {
    const { textOf } = reading
    if (this.#opensList()) {
      const items: unknown[] = []
      for (let left = this.list(); left > 0; left -= 1) {
        if (isRestDue(reading)) yield
        items.push(this.#opens() ? yield* this.#openedSteps(reading) : this.#plain(textOf))
      }
      return items
    }
    const shape = this.#isTabular ? this.record() : null
    const record: Record<string, unknown> = {}
    const fields = shape?.length ?? this.#map()
    for (let field = 0; field < fields; field += 1) {
      if (isRestDue(reading)) yield
      const name = textOf(shape?.[field] ?? this.text())
      setField(record, name, this.#opens() ? yield* this.#openedSteps(reading) : this.#plain(textOf))
    }
    return record
  }

  /** A value that holds no others. */
  #plain(textOf: (text: string) => string): unknown {
    const token = this.#bytes[this.#at] ?? 0
    if (token >= 0xc4 && token <= 0xc6) return this.#copy()
    const value = this.value()
    return typeof value === 'string' ? textOf(value) : value
  }

  /** Bytes, in memory of their own. */
  #copy(): Buffer {
    const token = this.#byte()
    const length = this.#number(token === 0xc4 ? 1 : token === 0xc5 ? 2 : 4)
    const from = this.#passed(length)
    return Buffer.from(this.#bytes.subarray(from, from + length))
  }

  /** Whether a list, a record or a map stands here. */
  #opens(): boolean {
    const token = this.#bytes[this.#at] ?? 0
    if (this.#opensList()) return true
    return this.#isTabular
      ? (token >= 0x40 && token < 0x80) || token === 0xd4
      : (token >= 0x80 && token < 0x90) || token === 0xde
  }

  #opensList(): boolean {
    const token = this.#bytes[this.#at] ?? 0
    return (token >= 0x90 && token < 0xa0) || token === 0xdc
  }

  /** Reads the head of a map: the number of its fields, of which each is a name and its value. */
  #map(): number {
    const token = this.#byte()
    return token === 0xde ? this.#number(2) : token - 0x80
  }

  #marked(token: number): unknown {
    switch (token) {
      case 0xc0:
        return null
      case 0xc2:
        return false
      case 0xc3:
        return true
      case 0xcb:
        return this.#bytes.readDoubleBE(this.#passed(8))
      case 0xcc:
        return this.#number(1)
      case 0xcd:
        return this.#number(2)
      case 0xce:
        return this.#number(4)
      case 0xd0:
        return this.#bytes.readInt8(this.#passed(1))
      case 0xd1:
        return this.#bytes.readInt16BE(this.#passed(2))
      case 0xd2:
        return this.#bytes.readInt32BE(this.#passed(4))
      case 0xd4:
        return this.#object(this.#shape())
      case 0xd9:
        return this.#text(this.#number(1))
      case 0xda:
        return this.#text(this.#number(2))
      case 0xdb:
        return this.#text(this.#number(4))
      case 0xdc:
        return this.#items(this.#number(2))
      default:
        throw new UnreadTable(`a value of type ${token}`)
    }
  }

  #items(count: number): unknown[] {
    const items: unknown[] = []
    for (let item = 0; item < count; item += 1) items.push(this.value())
    return items
  }

  #object(keys: readonly string[]): object {
    this.#objectsLeft -= 1
    if (this.#objectsLeft < 0) throw new UnreadTable('so many objects')
    const object: Record<string, unknown> = {}
    for (const key of keys) object[key] = this.value()
    return object
  }

  #known(token: number): readonly string[] {
    const keys = this.#shapes.get(token & 0x3f)
    if (token < 0x40 || token >= 0x80 || keys === undefined) throw new UnreadTable(`no record but ${token}`)
    return keys
  }

  #shape(): readonly string[] {
    if (this.#byte() !== SHAPE_TYPE) throw new UnreadTable('an extension')
    const number = this.#byte() & 0x3f
    const keys: string[] = []
    for (let left = this.list(); left > 0; left -= 1) keys.push(this.text())
    this.#shapes.set(number, keys)
    this.#shapesRead += 1
    return keys
  }

  #text(length: number): string {
    const from = this.#passed(length)
    const bytes = this.#bytes
    if (length > WORD_BYTES_MAX) return bytes.toString('utf8', from, from + length)
    const middle = bytes[from + (length >> 1)] ?? 0
    const place = (length * 61 + middle * 31 + (bytes[from + length - 1] ?? 0) * 7) % WORDS_KEPT
    const known = this.#words[place]
    if (known !== undefined && known.length === length && this.#spells(known, from)) return known
    const word = bytes.toString('utf8', from, from + length)
    this.#words[place] = word
    return word
  }

  /** Whether the bytes from there on are those of a text. Only one of ASCII has as many bytes as characters. */
  #spells(text: string, from: number): boolean {
    const bytes = this.#bytes
    for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) !== bytes[from + at]) return false
    return true
  }

  #stands({ from, to }: Span<unknown>): boolean {
    const bytes = this.#bytes
    const shift = this.#at - from
    if (to + shift > bytes.length) return false
    for (let at = from; at < to; at += 1) if (bytes[at] !== bytes[at + shift]) return false
    return true
  }

  #byte(): number {
    const byte = this.#bytes[this.#at]
    if (byte === undefined) throw new UnreadTable('the end')
    this.#at += 1
    return byte
  }

  #number(bytes: 1 | 2 | 4): number {
    return this.#bytes.readUIntBE(this.#passed(bytes), bytes)
  }

  /** Where so many bytes begin; the cursor then stands behind them. */
  #passed(bytes: number): number {
    const from = this.#at
    if (from + bytes > this.#bytes.length) throw new UnreadTable('the end')
    this.#at = from + bytes
    return from
  }
}

interface Reading {
  /** Values until the next rest. */
  left: number
  readonly textOf: (text: string) => string
}

function isRestDue(reading: Reading): boolean {
  reading.left -= 1
  if (reading.left > 0) return false
  reading.left = STEP_VALUES
  return true
}

/** Sets a field of any name: an assignment to `__proto__` would set the prototype. */
export function setField(record: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== '__proto__') record[name] = value
  else Object.defineProperty(record, name, { configurable: true, enumerable: true, writable: true, value })
}
