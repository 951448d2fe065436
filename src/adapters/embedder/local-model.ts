import { createHash } from 'node:crypto'
import { constants, createReadStream } from 'node:fs'
import { access, readFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { basename, join } from 'node:path'
import { messageOf, StartError } from '../../core/base/errors.ts'
import { isMissing } from '../files/whole-file.ts'

// A model of sentence embeddings in a folder of this machine, as the hubs of such models publish them: `model.onnx` (or
// `onnx/model.onnx`), `tokenizer.json`, and where they are there `tokenizer_config.json`, `sentence_bert_config.json`
// and `1_Pooling/config.json`. Two packages read it, which only those install who have such a model.

const RUNTIME = 'onnxruntime-node'
const TOKENIZERS = '@huggingface/tokenizers'
const MODEL_FILES = ['model.onnx', 'onnx/model.onnx']
const TOKENS_MAX = 512
const INPUTS = ['input_ids', 'attention_mask', 'token_type_ids'] as const
type Input = (typeof INPUTS)[number]

export interface Tensor {
  readonly dims: readonly number[]
  readonly data: unknown
}

interface Session {
  readonly inputNames: readonly string[]
  readonly outputNames: readonly string[]
  run(feeds: Readonly<Record<string, Tensor>>): Promise<Readonly<Record<string, Tensor>>>
}

interface Runtime {
  readonly InferenceSession: { create(path: string, options: object): Promise<Session> }
  readonly Tensor: new (type: 'int64', data: BigInt64Array, dims: readonly number[]) => Tensor
}

interface Tokenizers {
  readonly Tokenizer: new (tokenizer: object, config: object) => { encode(text: string): { ids: number[] } }
}

export interface LocalModel {
  /** The name of the folder, and the beginning of the SHA-256 of the model: vectors of another file are not compared. */
  readonly name: string
  /** The tokens of a text, cut behind the most that the model reads. */
  tokensOf(text: string): readonly number[]
  /** What the model gives for texts of equally many tokens: [texts, numbers], or [texts, tokens, numbers]. */
  run(rows: readonly (readonly number[])[]): Promise<Tensor>
  /** Whether the first token stands for a text, rather than the mean of all. */
  readonly isFirstToken: boolean
}

export type Load = (name: string) => Promise<unknown>

/** @throws StartError invalid_option, which says what is missing */
export async function openLocalModel(
  folder: string,
  load: Load = (name) => import(name),
): Promise<LocalModel> {
  const path = await modelIn(folder)
  const { Tokenizer } = await loaded(load, TOKENIZERS, isTokenizers)
  const runtime = await loaded(load, RUNTIME, isRuntime)
  const tokenizerFile = await fieldsOf(folder, 'tokenizer.json')
  if (tokenizerFile === null) throw unusable(folder, 'has no tokenizer.json')
  const limits = await fieldsOf(folder, 'sentence_bert_config.json')
  const pooling = await fieldsOf(folder, '1_Pooling/config.json')
  const most = Number(limits?.['max_seq_length'] ?? TOKENS_MAX)
  try {
    const tokenizer = new Tokenizer(tokenizerFile, (await fieldsOf(folder, 'tokenizer_config.json')) ?? {})
    const session = await runtime.InferenceSession.create(path, {
      // Guides are answered meanwhile.
      intraOpNumThreads: Math.max(1, availableParallelism() >> 1),
    })
    const unknown = session.inputNames.filter((name) => !INPUTS.some((input) => input === name))
    if (unknown.length > 0) throw new Error(`it asks for ${unknown.join(', ')}`)
    return {
      name: `${basename(folder)}-${await beginningOfHash(path)}`,
      isFirstToken: pooling?.['pooling_mode_cls_token'] === true,
      tokensOf: (text) => cut(tokenizer.encode(text).ids, most),
      run: (rows) => outputOf(session, feedsOf(runtime, session.inputNames, rows)),
    }
  } catch (cause) {
    throw unusable(folder, `has a model that cannot be used: ${messageOf(cause)}`, cause)
  }
}

/** The last token ends the text for the model. */
function cut(ids: readonly number[], most: number): readonly number[] {
  return ids.length <= most ? ids : [...ids.slice(0, most - 1), ...ids.slice(-1)]
}

function feedsOf(
  { Tensor }: Runtime,
  names: readonly string[],
  rows: readonly (readonly number[])[],
): Record<string, Tensor> {
  const dims = [rows.length, rows[0]?.length ?? 0]
  const filled: Readonly<Record<Input, (id: number) => bigint>> = {
    input_ids: BigInt,
    attention_mask: () => 1n,
    token_type_ids: () => 0n,
  }
  return Object.fromEntries(
    INPUTS.filter((name) => names.includes(name)).map((name) => [
      name,
      new Tensor('int64', BigInt64Array.from(rows.flat(), filled[name]), dims),
    ]),
  )
}

/** By these names models give a vector of each text, or of each token. */
async function outputOf(session: Session, feeds: Record<string, Tensor>): Promise<Tensor> {
  const outputs = await session.run(feeds)
  const first = session.outputNames[0] ?? ''
  const found = outputs['sentence_embedding'] ?? outputs['last_hidden_state'] ?? outputs[first]
  if (found === undefined) throw new Error('the model gives nothing')
  return found
}

async function modelIn(folder: string): Promise<string> {
  for (const name of MODEL_FILES) {
    const path = join(folder, name)
    const isThere = await access(path, constants.R_OK).then(
      () => true,
      () => false,
    )
    if (isThere) return path
  }
  throw unusable(folder, `has none of ${MODEL_FILES.join(', ')} that can be read`)
}

async function beginningOfHash(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk)
  return hash.digest('hex').slice(0, 12)
}

/** Null: there is no such file. */
async function fieldsOf(folder: string, name: string): Promise<Readonly<Record<string, unknown>> | null> {
  let text: string
  try {
    text = await readFile(join(folder, name), 'utf8')
  } catch (error) {
    if (isMissing(error)) return null
    throw unusable(folder, `has a ${name} that cannot be read: ${messageOf(error)}`, error)
  }
  try {
    return Object(JSON.parse(text))
  } catch (cause) {
    throw unusable(folder, `has a ${name} that is not JSON`, cause)
  }
}

async function loaded<Module>(
  load: Load,
  name: string,
  isIt: (module: unknown) => module is Module,
): Promise<Module> {
  let module: unknown
  try {
    module = await load(name)
  } catch (cause) {
    throw missing(name, cause)
  }
  if (!isIt(module)) throw missing(name, null)
  return module
}

function isRuntime(module: unknown): module is Runtime {
  const { InferenceSession, Tensor } = Object(module)
  return typeof Tensor === 'function' && typeof InferenceSession?.create === 'function'
}

function isTokenizers(module: unknown): module is Tokenizers {
  return typeof Object(module).Tokenizer === 'function'
}

function missing(name: string, cause: unknown): StartError {
  return new StartError(
    'invalid_option',
    `A model of this machine needs the packages ${RUNTIME} and ${TOKENIZERS} beside memgov, and ${name} cannot be loaded: npm install ${RUNTIME}@1 ${TOKENIZERS}@0.2.`,
    { package: name },
    cause,
  )
}

function unusable(folder: string, what: string, cause?: unknown): StartError {
  return new StartError(
    'invalid_option',
    `The folder ${folder} that embeddingsUrl names ${what}. Name a folder with model.onnx and tokenizer.json of a model of sentence embeddings.`,
    { folder },
    cause,
  )
}
