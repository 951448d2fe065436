import { type Answer, textOf } from './answer-fields.ts'
import { blastRadiusText } from './blast-radius.ts'
import { type Address, ClientError, postJson } from './client.ts'
import { explanation } from './explain.ts'
import { paintFor, visible } from './terminal-text.ts'

/** A question for a running service, as the command line asks it. */
export interface Query {
  readonly path: string
  readonly body: object
  readonly print: 'explain' | 'blast-radius' | 'json'
}

interface Output {
  readonly isColoured: boolean
  readonly out: (text: string) => unknown
  readonly error: (text: string) => unknown
}

/** Asks, prints, and resolves with the exit code: 0 answered, 1 refused or nobody there. */
export async function runQuery(address: Address, query: Query, output: Output): Promise<number> {
  let body: Answer
  try {
    const reply = await postJson(address, query.path, query.body)
    if (!reply.isOk) {
      output.error(
        `memgov: ${visible(textOf(reply.body, 'message') ?? 'The service refused the request.')}\n`,
      )
      return 1
    }
    body = reply.body
  } catch (error) {
    if (!(error instanceof ClientError)) throw error
    output.error(`memgov: ${visible(error.message)}\n`)
    return 1
  }
  output.out(`${linesOf(body, query, output.isColoured).join('\n')}\n`)
  return 0
}

function linesOf(body: Answer, { print }: Query, isColoured: boolean): readonly string[] {
  const paint = paintFor(isColoured)
  switch (print) {
    case 'json':
      return [jsonText(body)]
    case 'explain':
      return explanation(body, paint)
    case 'blast-radius':
      return blastRadiusText(body, paint)
  }
}

/** JSON escapes control characters itself; what else a terminal would act on is escaped as JSON can. */
function jsonText(body: Answer): string {
  return JSON.stringify(body, null, 2).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) =>
    character === '\n' ? character : utf16(character),
  )
}

function utf16(character: string): string {
  let text = ''
  for (let at = 0; at < character.length; at++) {
    text += `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`
  }
  return text
}
