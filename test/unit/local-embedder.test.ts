import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import { openLocalEmbedder } from '../../src/adapters/embedder/local-embedder.ts'
import { createRuntime } from '../../src/index.ts'
import { dataFolder } from '../harness/data-folder.ts'
import { provingAsync } from '../support/prove.ts'
import { NUMBERS, WORDS, writeTinyModel } from '../support/tiny-model.ts'

// The real packages run the same files in test/package, where they can be installed.

interface Tensor {
  readonly dims: readonly number[]
  readonly data: Float32Array | BigInt64Array
}

/** The packages as a test has them: the model is a table of vectors, unless `run` says otherwise. */
function packages(changes: { run?: (ids: Tensor) => Promise<object> | object; inputs?: string[] } = {}) {
  const runs: number[][] = []
  class FakeTensor {
    readonly data: BigInt64Array
    readonly dims: readonly number[]
    constructor(_type: string, data: BigInt64Array, dims: readonly number[]) {
      this.data = data
      this.dims = dims
    }
  }
  const run = async ({ input_ids: ids }: { input_ids: Tensor }) => {
    runs.push([...ids.dims])
    return changes.run === undefined ? { last_hidden_state: looked(ids) } : changes.run(ids)
  }
  const inputNames = changes.inputs ?? ['input_ids', 'attention_mask', 'token_type_ids']
  const load = async (name: string) =>
    name === 'onnxruntime-node'
      ? {
          Tensor: FakeTensor,
          InferenceSession: { create: async () => ({ inputNames, outputNames: ['last_hidden_state'], run }) },
        }
      : { Tokenizer: FakeTokenizer }
  return { load, runs }
}

class FakeTokenizer {
  encode(text: string) {
    const words = text.toLowerCase().match(/\w+/g) ?? []
    return { ids: words.map((word) => Math.max(1, WORDS.indexOf(word))) }
  }
}

/** A number for each word, and zeros. */
function looked({ data, dims }: Tensor): Tensor {
  const numbers = new Float32Array(data.length * NUMBERS)
  for (const [at, id] of [...data].entries()) numbers[at * NUMBERS + (Number(id) % NUMBERS)] = 1 + Number(id)
  return { dims: [...dims, NUMBERS], data: numbers }
}

const patient = { timeoutMs: 5_000, signal: new AbortController().signal }
let folder = ''
beforeEach(() => {
  folder = join(dataFolder(), 'tiny')
  writeTinyModel(folder)
})
const opened = (load = packages().load) => openLocalEmbedder(pathToFileURL(folder).href, load)
const rounded = (vector: Float32Array | undefined) => [...(vector ?? [])].map((each) => each.toFixed(4))

describe('a model of this machine', () => {
  test('gives the mean of its tokens, or the first of them where the model says so, of length 1', async () => {
    const mean = await opened()
    const [both] = await mean.embed(['deploy staging'], patient)
    expect(both?.filter((each) => each !== 0)).toHaveLength(2)
    mkdirSync(join(folder, '1_Pooling'))
    writeFileSync(join(folder, '1_Pooling/config.json'), '{"pooling_mode_cls_token": true}')
    const first = await opened()
    const [one] = await first.embed(['deploy staging'], patient)
    expect(rounded(one)).toEqual(rounded((await mean.embed(['deploy'], patient))[0]))
    expect([mean.provider, mean.dimensions]).toEqual(['this machine', NUMBERS])
  })

  test('may give one vector of each text itself', async () => {
    const { load } = packages({
      run: ({ dims: [texts = 0] }) => ({
        sentence_embedding: { dims: [texts, 2], data: new Float32Array(texts * 2).fill(3) },
      }),
    })
    const [vector] = await (await opened(load)).embed(['deploy'], patient)
    expect(rounded(vector)).toEqual(['0.7071', '0.7071'])
  })

  test('a text has the same vector whatever it is embedded with', async () => {
    const embedder = await opened()
    const word = fc.constantFrom(...WORDS.slice(2))
    const text = fc.array(word, { minLength: 1, maxLength: 6 }).map((words) => words.join(' '))
    await provingAsync(60)(fc.array(text, { minLength: 1, maxLength: 30 }), async (texts) => {
      const together = await embedder.embed(texts, patient)
      const alone = await Promise.all(texts.map(async (each) => (await embedder.embed([each], patient))[0]))
      expect(together).toEqual(alone)
    })
  })

  test('reads the beginning of a long text and its last token, and a few texts at a time', async () => {
    writeFileSync(join(folder, 'sentence_bert_config.json'), '{"max_seq_length": 4}')
    const { load, runs } = packages()
    const embedder = await opened(load)
    runs.length = 0
    await embedder.embed(
      Array.from({ length: 20 }, () => 'deploy ship release bill lunch meal'),
      patient,
    )
    expect(runs).toEqual([
      [8, 4],
      [8, 4],
      [4, 4],
    ])
  })

  test('has another name with other bytes, so that vectors of two models are never compared', async () => {
    const { model } = await opened()
    expect(model).toMatch(/^tiny-[0-9a-f]{12}$/)
    writeFileSync(join(folder, 'model.onnx'), 'another')
    expect((await opened()).model).not.toBe(model)
  })
})

describe('what is missing is named', () => {
  const refusal = (load?: Parameters<typeof openLocalEmbedder>[1]) =>
    openLocalEmbedder(pathToFileURL(folder).href, load).catch((error: unknown) => error)

  test.each([
    [
      'the folder',
      () => rmSync(folder, { recursive: true }),
      'has none of model.onnx, onnx/model.onnx that can be read',
    ],
    ['the tokenizer', () => rmSync(join(folder, 'tokenizer.json')), 'has no tokenizer.json'],
    [
      'a tokenizer that is not JSON',
      () => writeFileSync(join(folder, 'tokenizer.json'), '{'),
      'has a tokenizer.json that is not JSON',
    ],
  ])('%s', async (_what, spoil, words) => {
    spoil()
    expect(await refusal(packages().load)).toMatchObject({
      code: 'invalid_option',
      message: expect.stringContaining(words),
    })
  })

  test('a package that is not installed', async () => {
    expect(await refusal(() => Promise.reject(new Error('not found')))).toMatchObject({
      code: 'invalid_option',
      message: expect.stringContaining('npm install onnxruntime-node@1 @huggingface/tokenizers@0.2'),
    })
    expect(await refusal(async () => ({}))).toMatchObject({ code: 'invalid_option' })
  })

  test('what the model asks for and nobody has', async () => {
    expect(await refusal(packages({ inputs: ['input_ids', 'pixels'] }).load)).toMatchObject({
      message: expect.stringContaining('it asks for pixels'),
    })
  })

  test('by a runtime, too, which then does not start', async () => {
    await expect(
      createRuntime({ dataDir: ':memory:', embeddingsUrl: pathToFileURL(folder).href }),
    ).rejects.toMatchObject({ name: 'MemgovError', code: 'invalid_option' })
    await expect(
      createRuntime({ dataDir: ':memory:', embeddingsUrl: 'file://elsewhere/model' }),
    ).rejects.toThrow('embeddingsUrl')
  })
})

describe('a request that gives no vectors says why', () => {
  /** Works for the text by which it is tried, then as told. */
  const failing = async (then: () => Promise<object> | object) => {
    let isTried = false
    const { load } = packages({
      run: (ids) => {
        if (isTried) return then()
        isTried = true
        return { last_hidden_state: looked(ids) }
      },
    })
    return opened(load)
  }
  const kindOf = (asked: Promise<unknown>) =>
    asked.then(
      () => null,
      (error: { embedFailure: string }) => error.embedFailure,
    )

  test('late, or given up; the next one is answered when the model is done', async () => {
    let finish = () => {}
    const running = new Promise<object>((resolve) => {
      finish = () => resolve({ last_hidden_state: { dims: [1, 1, 1], data: Float32Array.of(1) } })
    })
    const embedder = await failing(() => running)
    expect(await kindOf(embedder.embed(['deploy'], { ...patient, timeoutMs: 1 }))).toBe('late')
    const end = new AbortController()
    const given = kindOf(embedder.embed(['deploy'], { ...patient, signal: end.signal }))
    end.abort()
    expect(await given).toBe('stopped')
    expect(await kindOf(embedder.embed(['deploy'], { ...patient, signal: end.signal }))).toBe('stopped')
    const next = embedder.embed(['deploy'], patient)
    finish()
    expect(rounded((await next)[0])).toEqual(['1.0000'])
  })

  test.each([
    ['a model that fails', () => Promise.reject(new Error('out of memory')), 'failing'],
    ['no output', () => ({}), 'failing'],
    [
      'another count',
      () => ({ x: 1, last_hidden_state: { dims: [2, 1, 1], data: Float32Array.of(1, 2) } }),
      'malformed',
    ],
    [
      'another size',
      () => ({ last_hidden_state: { dims: [1, 2, 3], data: Float32Array.of(1) } }),
      'malformed',
    ],
    [
      'no direction',
      () => ({ last_hidden_state: { dims: [1, 1, 1], data: Float32Array.of(0) } }),
      'malformed',
    ],
  ])('%s', async (_what, then, kind) => {
    expect(await kindOf((await failing(then)).embed(['deploy'], patient))).toBe(kind)
  })

  test('a text in which the model reads nothing', async () => {
    expect(await kindOf((await opened()).embed(['deploy', '…'], patient))).toBe('refused')
  })
})
