import { databaseUnavailable } from './failures.ts'
import { type ReadRole, readServerRole, type ServerRole } from './server-role.ts'
import type { ServerUrls } from './server-urls.ts'

/** A server that is being used, by its URL. */
export interface FoundServer extends ServerRole {
  readonly url: string
}

interface PrimaryFinderOptions extends ServerUrls {
  readonly readRole?: ReadRole
  /** Receives messages for operators. */
  readonly warn: (sentence: string) => void
  /** Called when another server comes into use. */
  readonly onMoved?: ((from: FoundServer, to: FoundServer) => void) | undefined
}

/** Milliseconds between two searches while no server accepts writes. */
const SEARCH_INTERVAL = 1_000

/**
 * Finds the server that accepts writes among those of a URL, and another one when connections to it fail. Of several,
 * the latest promoted one is used, and after that never one that was promoted earlier: a former primary that returns
 * lacks later writes. If no server accepts writes, a readable one is used meanwhile, unless the URL forbids it.
 */
export class PrimaryFinder {
  readonly #options: PrimaryFinderOptions
  readonly #writable = Promise.withResolvers<void>()
  #found: FoundServer | undefined
  /** The last server in use, even while none is found. */
  #last: FoundServer | undefined
  #searching: Promise<FoundServer> | undefined
  #timer: NodeJS.Timeout | undefined
  #newestTimeline = 0
  #isClosed = false

  constructor(options: PrimaryFinderOptions) {
    this.#options = options
  }

  /** The server in use; undefined while it is not known. */
  get found(): FoundServer | undefined {
    return this.#found
  }

  /** Resolves as soon as a server accepts writes. */
  get writable(): Promise<void> {
    return this.#writable.promise
  }

  /** The server to use. Throws `unavailable` if there is none. */
  async current(): Promise<FoundServer> {
    return this.#found ?? (await this.search())
  }

  /** To be called when connections to the server in use fail: the next call of `current` searches. */
  forget(url: string): void {
    if (this.#found?.url === url) this.#found = undefined
  }

  /** The server to use, chosen from the current state of all of them. Throws `unavailable` if there is none. */
  async search(): Promise<FoundServer> {
    this.#searching ??= this.#searchOnce().finally(() => {
      this.#searching = undefined
    })
    return await this.#searching
  }

  close(): void {
    this.#isClosed = true
    clearTimeout(this.#timer)
  }

  async #searchOnce(): Promise<FoundServer> {
    const { urls, needsPrimary, readRole = readServerRole } = this.#options
    const answers = await Promise.allSettled(urls.map(readRole))
    const servers = answers.flatMap((result, index) =>
      result.status === 'fulfilled' ? [{ url: urls[index] ?? '', ...result.value }] : [],
    )
    const newest = servers
      .filter(({ isReadOnly, timeline }) => !isReadOnly && timeline >= this.#newestTimeline)
      .reduce<FoundServer | undefined>((best, server) => laterOf(best, server), undefined)
    const server = newest ?? (needsPrimary ? undefined : servers.find((candidate) => candidate.isReadOnly))
    if (!server) {
      this.#found = undefined
      throw databaseUnavailable(reasonOf(answers))
    }
    this.#use(server)
    return server
  }

  #use(server: FoundServer): void {
    const before = this.#last
    this.#found = server
    this.#last = server
    this.#newestTimeline = Math.max(this.#newestTimeline, server.timeline)
    if (before && before.url !== server.url) this.#options.onMoved?.(before, server)
    if (server.isReadOnly) {
      if (!before?.isReadOnly) this.#options.warn(READ_ONLY)
      this.#searchLater()
      return
    }
    if (before && (before.isReadOnly || before.url !== server.url)) this.#options.warn(WRITABLE)
    this.#writable.resolve()
  }

  #searchLater(): void {
    clearTimeout(this.#timer)
    if (this.#isClosed) return
    this.#timer = setTimeout(() => {
      this.search().catch(() => this.#searchLater())
    }, SEARCH_INTERVAL).unref()
  }
}

/** The first of several servers that were promoted at the same time. */
const laterOf = (best: FoundServer | undefined, server: FoundServer): FoundServer =>
  best && best.timeline >= server.timeline ? best : server

/** The cause of a failed search: the error of the only server, or those of all. */
function reasonOf(answers: readonly PromiseSettledResult<ServerRole>[]): Error {
  const errors = answers.map((result) => (result.status === 'rejected' ? asError(result.reason) : new Error(UNUSABLE)))
  const [first = new Error(UNUSABLE)] = errors
  return errors.length === 1 ? first : new AggregateError(errors)
}

const asError = (reason: unknown): Error => (reason instanceof Error ? reason : new Error(String(reason)))

const UNUSABLE = 'the server accepts no writes, or another one has been promoted in its place'

const READ_ONLY = 'The database is a standby: reads are served, and changes are refused until it is promoted.'
const WRITABLE = 'The database accepts changes again, on another server than before.'
