import { createHash } from 'node:crypto'
import { constants, createReadStream } from 'node:fs'
import { access, readFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { grouped } from '../../core/base/collections.ts'
import { messageOf, StartError } from '../../core/base/errors.ts'
import type { Embedder } from '../../ports/embedder.ts'
import { oneByOne } from '../files/concurrency.ts'
import { isMissing } from '../files/whole-file.ts'
import { EmbedFailureError, malformed, unitVector, withinTime } from './embed-failure.ts'

// A model of sentence embeddings in a folder of this machine, as the hubs of such models publish them: `model.onnx` (or
// `onnx/model.onnx`), `tokenizer.json`, and where they are there `tokenizer_config.json`, `sentence_bert_config.json`
// and `1_Pooling/config.json`. Two packages read it, which only those install who have such a model.

const RUNTIME = 'onnxruntime-node'
const TOKENIZERS = '@huggingface/tokenizers'
const MODEL_FILES = ['model.onnx', 'onnx/model.onnx']
const TOKENS_MAX = 512
const INPUTS = ['input_ids', 'attention_mask', 'token_type_ids'] as const
type Input = (typeof INPUTS)[number]

interface Tensor {
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

type Load = (name: string) => Promise<unknown>

/** Texts of one run of the model: between two runs others may go first, and a request that was given up ends. */
const RUN_TEXTS_MAX = 8

/**
 * The model in a folder, by its `file:` URL. One text is embedded to see that it works.
 * @throws StartError invalid_option, which says what is missing
 */
export async function openLocalEmbedder(url: string, load?: Load): Promise<Embedder> {
  const embedder = localEmbedder(await openLocalModel(fileURLToPath(url), load))
  await embedder.embed(['memory'], { timeoutMs: 60_000, signal: new AbortController().signal })
  return embedder
}

/** Nothing leaves the machine. The model runs on threads of its own, a request after the other. */
function localEmbedder(local: LocalModel): Embedder {
  let dimensions: number | null = null
  const inTurn = oneByOne()

  async function vectorsOf(texts: readonly string[], end: AbortSignal): Promise<readonly Float32Array[]> {
    // Nobody waits for it any more: its turn came too late.
    if (end.aborted) return []
    const vectors: Float32Array[] = new Array(texts.length)
    const tokens = texts.map((text) => local.tokensOf(text))
    if (tokens.some(({ length }) => length === 0))
      throw new EmbedFailureError('refused', 'the model reads nothing in a text')
    // Texts of one length need no filling up, so none changes what another gives.
    for (const places of grouped([...tokens.keys()], (place) => tokens[place]?.length).values()) {
      for (let from = 0; from < places.length && !end.aborted; from += RUN_TEXTS_MAX) {
        const some = places.slice(from, from + RUN_TEXTS_MAX)
        const output = await local.run(some.map((place) => tokens[place] ?? []))
        for (const [at, vector] of vectorsIn(output, some.length, local.isFirstToken).entries())
          vectors[some[at] ?? 0] = vector
      }
    }
    dimensions ??= vectors[0]?.length ?? null
    return vectors
  }

  return {
    provider: 'this machine',
    model: local.name,
    get dimensions() {
      return dimensions
    },
    embed(texts, options) {
      return withinTime(options, (end) =>
        inTurn(() => vectorsOf(texts, end)).catch((error: unknown) => Promise.reject(failureOf(error))),
      )
    },
  }
}

/** One vector of length 1 for each text. @throws malformed */
function vectorsIn({ dims, data }: Tensor, texts: number, isFirstToken: boolean): readonly Float32Array[] {
  if (!(data instanceof Float32Array) || dims[0] !== texts) throw malformed('is not a vector for each text')
  const [, second = 0, third] = dims
  const numbers = third ?? second
  const tokens = third === undefined || isFirstToken ? 1 : second
  const stride = third === undefined ? numbers : second * numbers
  if (data.length !== texts * stride || numbers === 0) throw malformed('has another size than it says')
  return Array.from({ length: texts }, (_, text) => {
    const sum = new Float64Array(numbers)
    for (let token = 0; token < tokens; token += 1) {
      const from = text * stride + token * numbers
      for (let at = 0; at < numbers; at += 1) sum[at] = (sum[at] ?? 0) + (data[from + at] ?? 0)
    }
    return unitVector(sum)
  })
}

function failureOf(error: unknown): EmbedFailureError {
  if (error instanceof EmbedFailureError) return error
  return new EmbedFailureError('failing', `the model failed: ${messageOf(error)}`)
}

type LocalModel = Awaited<ReturnType<typeof openLocalModel>>

/** @throws StartError invalid_option, which says what is missing */
async function openLocalModel(folder: string, load: Load = (name) => import(name)) {
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
      /** The name of the folder, and the beginning of the SHA-256 of the model: vectors of another file are not compared. */
      name: `${basename(folder)}-${await beginningOfHash(path)}`,
      /** Whether the first token stands for a text, rather than the mean of all. */
      isFirstToken: pooling?.['pooling_mode_cls_token'] === true,
      /** The tokens of a text, cut behind the most that the model reads. */
      tokensOf: (text: string) => cut(tokenizer.encode(text).ids, most),
      /** What the model gives for texts of equally many tokens: [texts, numbers], or [texts, tokens, numbers]. */
      run: (rows: readonly (readonly number[])[]) =>
        outputOf(session, feedsOf(runtime, session.inputNames, rows)),
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
