import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

// A model of embeddings of a few words: a table with a vector for each token, and nothing else. ONNX is a protocol buffer
// (https://github.com/onnx/onnx/blob/main/onnx/onnx.proto); the numbers of fields below are its.

/** Words of one group mean the same: their vectors are equal. */
const MEANINGS = [
  ['[PAD]'],
  ['[UNK]'],
  ['deploy', 'release', 'ship'],
  ['staging', 'rehearsal'],
  ['invoice', 'bill'],
  ['lunch', 'meal'],
]
export const WORDS = MEANINGS.flat()
export const NUMBERS = MEANINGS.length

function varint(value: number): number[] {
  const bytes: number[] = []
  for (let left = value; ; left = Math.floor(left / 128)) {
    if (left < 128) return [...bytes, left]
    bytes.push((left % 128) + 128)
  }
}

const number = (field: number, value: number) => Buffer.from([...varint(field * 8), ...varint(value)])
function bytes(field: number, ...parts: readonly (Uint8Array | string)[]): Buffer {
  const body = Buffer.concat(parts.map((part) => Buffer.from(part)))
  return Buffer.concat([Buffer.from([...varint(field * 8 + 2), ...varint(body.length)]), body])
}

const FLOAT = 1
const INT64 = 7
const dimension = (size: number | string) =>
  bytes(1, typeof size === 'number' ? number(1, size) : bytes(2, size))
const value = (name: string, type: number, sizes: readonly (number | string)[]) =>
  Buffer.concat([bytes(1, name), bytes(2, bytes(1, number(1, type), bytes(2, ...sizes.map(dimension))))])

/** `last_hidden_state[text, token] = table[input_ids[text, token]]` */
export function tinyOnnx(): Buffer {
  const table = new Float32Array(WORDS.length * NUMBERS)
  for (const [at, word] of WORDS.entries()) {
    table[at * NUMBERS + MEANINGS.findIndex((group) => group.includes(word))] = 1
  }
  const initializer = Buffer.concat([
    number(1, WORDS.length),
    number(1, NUMBERS),
    number(2, FLOAT),
    bytes(8, 'table'),
    bytes(9, Buffer.from(table.buffer)),
  ])
  const gather = Buffer.concat([
    bytes(1, 'table'),
    bytes(1, 'input_ids'),
    bytes(2, 'last_hidden_state'),
    bytes(4, 'Gather'),
  ])
  const graph = Buffer.concat([
    bytes(1, gather),
    bytes(2, 'tiny'),
    bytes(5, initializer),
    bytes(11, value('input_ids', INT64, ['texts', 'tokens'])),
    bytes(11, value('attention_mask', INT64, ['texts', 'tokens'])),
    bytes(12, value('last_hidden_state', FLOAT, ['texts', 'tokens', NUMBERS])),
  ])
  return Buffer.concat([number(1, 8), bytes(7, graph), bytes(8, bytes(1, ''), number(2, 13))])
}

/** As the library of tokenizers reads it: lower case, words as they are. */
export const TOKENIZER = {
  version: '1.0',
  added_tokens: [],
  normalizer: { type: 'Lowercase' },
  pre_tokenizer: { type: 'Whitespace' },
  post_processor: null,
  decoder: null,
  model: {
    type: 'WordPiece',
    unk_token: '[UNK]',
    continuing_subword_prefix: '##',
    max_input_chars_per_word: 100,
    vocab: Object.fromEntries(WORDS.map((word, at) => [word, at])),
  },
}

export function writeTinyModel(folder: string): void {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'model.onnx'), tinyOnnx())
  writeFileSync(join(folder, 'tokenizer.json'), JSON.stringify(TOKENIZER))
}
