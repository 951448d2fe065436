import type { AddressInfo } from 'node:net'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { preparedName } from '../../../src/adapters/postgres/database.ts'
import { APPEND, APPEND_FIRST, APPEND_MANY } from '../../../src/adapters/postgres/journal.ts'
import { ACQUIRE } from '../../../src/adapters/postgres/shards.ts'

/** What a database says when it has stored turns. */
const STORED = 'INSERT 0 '
/** The names of the statements that store turns. */
const APPENDS = [APPEND, APPEND_MANY, APPEND_FIRST].map(preparedName)
/** The name of the statement by which a node is given a shard. */
const TAKES = preparedName(ACQUIRE)

/** The connections of one node to its database, which a test may cut in the worst moment, before a statement or behind it. */
export class DatabaseLink {
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  #farPort: number
  #cutsLeft = 0
  #areGrantsCut = false
  readonly #heldTexts = new Set<string>()
  readonly #held: (() => void)[] = []
  #unansweredText: string | null = null
  readonly #unanswered: (() => void)[] = []
  /** Connections that were cut behind what the database had done, before its answer. */
  cuts = 0

  private constructor(server: Server, farPort: number) {
    this.#server = server
    this.#farPort = farPort
  }

  static async to(port: number): Promise<DatabaseLink> {
    const server = createServer()
    const link = new DatabaseLink(server, port)
    server.on('connection', (near) => link.#join(near, connect(link.#farPort, '127.0.0.1')))
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve)
    })
    return link
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  /** Where new connections lead to. */
  leadTo(port: number): void {
    this.#farPort = port
  }

  /** Cuts the next connections on which turns were stored: the node does not hear of it. */
  cutBehindCommits(count: number): void {
    this.#cutsLeft = count
  }

  /** Cuts each connection on which the node was given a shard: it does not hear of it. */
  cutBehindGrants(areCut: boolean): void {
    this.#areGrantsCut = areCut
  }

  /** Cuts the connection before the first statement that holds one of these texts, and keeps it. None: no further ones. */
  holdFirstStatements(texts: readonly string[]): void {
    this.#heldTexts.clear()
    for (const text of texts) this.#heldTexts.add(text)
  }

  /** Keeps back the answers to statements that hold this text. Null: their connections are cut, and no further ones are kept. */
  holdAnswers(text: string | null): void {
    this.#unansweredText = text
    if (text === null) for (const cut of this.#unanswered.splice(0)) cut()
  }

  /** How many answers are kept back. */
  get heldAnswers(): number {
    return this.#unanswered.length
  }

  /** What was kept reaches the database. Gives how many statements. */
  deliver(): number {
    const held = this.#held.splice(0)
    for (const send of held) send()
    return held.length
  }

  close(): void {
    this.#server.close()
    for (const socket of this.#sockets) socket.destroy()
  }

  #join(near: Socket, far: Socket): void {
    const end = () => {
      near.destroy()
      far.destroy()
      this.#sockets.delete(near)
      this.#sockets.delete(far)
    }
    for (const socket of [near, far]) {
      this.#sockets.add(socket)
      socket.setNoDelay(true)
      socket.on('error', end)
      socket.on('close', end)
    }
    let [isTaking, isUnanswered] = [false, false]
    near.on('data', (bytes: Buffer) => {
      isTaking = bytes.includes(TAKES)
      const isAppending = APPENDS.some((name) => bytes.includes(name))
      const unanswered = this.#unansweredText
      isUnanswered = isAppending && unanswered !== null && bytes.includes(unanswered)
      const held = isAppending ? [...this.#heldTexts].find((text) => bytes.includes(text)) : undefined
      if (held !== undefined) {
        this.#heldTexts.delete(held)
        near.off('close', end).destroy()
        this.#held.push(() => far.write(bytes))
      } else far.write(bytes)
    })
    far.on('data', (bytes: Buffer) => {
      if (this.#cutsLeft > 0 && bytes.includes(STORED)) {
        this.#cutsLeft -= 1
        this.cuts += 1
        end()
      } else if (isTaking && this.#areGrantsCut) {
        this.cuts += 1
        end()
      } else if (isUnanswered && bytes.includes(STORED)) {
        this.cuts += 1
        this.#unanswered.push(end)
      } else near.write(bytes)
    })
  }
}
