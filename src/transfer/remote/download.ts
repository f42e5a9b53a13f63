import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import type { Model, Registry } from '../../schema/registry.ts'
import { isCollection } from '../collections.ts'
import type { Progress } from '../import-directory.ts'
import { parseAddress } from './address.ts'
import { CHANGES, changedSince } from './changed-since.ts'
import { Client } from './client.ts'
import { discover } from './discover.ts'
import { downloadMedia } from './download-media.ts'
import { findOmissions, type Omissions } from './omissions.ts'
import { type CollectionExtent, extentOf, pagesOf } from './pages.ts'
import { recoverHidden } from './recover-hidden.ts'
import { SourceError } from './source-error.ts'
import { Turns } from './turns.ts'
import { withoutBase } from './without-base.ts'
import {
  collectionFile,
  type Marker,
  readMarker,
  writeJsonLines,
  writeMarker,
} from './work-directory.ts'

export interface DownloadOptions {
  /** Address of the service: https://… */
  readonly source: string
  readonly token: string
  /** Where the data set is written; goes on with what an earlier run of the same source left there. */
  readonly directory: string
  readonly registry: Registry
  /** Requests at a time. */
  readonly parallel?: number
  /** Collections that are not wanted: `core/object-changes`. */
  readonly without?: readonly string[]
  readonly progress?: (progress: Progress) => void
  /** Milliseconds before a failed request is tried again for the first time. */
  readonly patience?: number
}

export interface DownloadReport {
  readonly rows: number
  /** Collections that were fetched by an earlier run. */
  readonly kept: number
  /** Endpoints of the source that nothing here answers to, such as those of its plugins. */
  readonly unknown: readonly string[]
  /** Addresses of files that could not be had. */
  readonly missingMedia: readonly string[]
  /** The source was changed faster than it could be read: parts may not fit together. */
  readonly isMoving: boolean
  readonly omissions: Omissions
}

const PARALLEL = 4
/** How often what was changed meanwhile is fetched again. */
const ROUNDS = 4
/** Endpoints that tell about the running service and hold nothing of its data. */
const NO_DATA =
  /^core\/background-|^(dcim\/connected-device|users\/config|plugins\/installed-plugins|extras\/dashboard)$/

/**
 * Writes what a running service of the same API shows as a data set, which importDataSet reads. All
 * of it fits together even when the source is changed meanwhile: what the source's change records
 * name is fetched again. Throws SourceError; a later run with the same directory goes on.
 */
export async function download(options: DownloadOptions): Promise<DownloadReport> {
  const { token, directory, registry, parallel = PARALLEL, without = [] } = options
  const address = parseAddress(options.source)
  const marker = await readMarker(directory, address)
  const client = new Client(address, token, { ...options, parallel })
  const { base, endpoints } = await discover(client, address)
  const models = [...registry.models.values()].filter(
    (model) => isCollection(model) && endpoints.has(model.path) && !without.includes(model.path),
  )
  const known = new Set([...registry.models.values()].map(({ path }) => path))
  const run = new Download(client, options, base, models)
  try {
    const { kept, isMoving } = await run.all(marker ?? (await begin(client, address, without)))
    run.say('media files')
    const missingMedia = await downloadMedia(client, directory, models)
    await recoverHidden(client, directory)
    return {
      rows: run.rows,
      kept,
      unknown: [...endpoints].filter((path) => !known.has(path) && !NO_DATA.test(path)).sort(),
      missingMedia,
      isMoving,
      omissions: await findOmissions(directory, models),
    }
  } finally {
    client.stop()
  }
}

/** A marker without a change record to go on from, where these are not wanted. */
async function begin(client: Client, source: string, without: readonly string[]): Promise<Marker> {
  const extent = without.includes(CHANGES) ? undefined : await extentOf(client, CHANGES)
  return { source, begun: new Date().toISOString(), lastChange: extent?.lastId ?? 0 }
}

/** One download, with what it has found out about the source. */
class Download {
  readonly #client: Client
  readonly #options: DownloadOptions
  readonly #base: string
  readonly #models: readonly Model[]
  readonly #extents = new Map<Model, CollectionExtent>()
  #done = 0
  #stage = 'collections'

  constructor(client: Client, options: DownloadOptions, base: string, models: readonly Model[]) {
    this.#client = client
    this.#options = options
    this.#base = base
    this.#models = models
  }

  /** Objects of all collections, as the source counts them. */
  get rows(): number {
    return [...this.#extents.values()].reduce((sum, { count }) => sum + count, 0)
  }

  async all(begun: Marker): Promise<{ readonly kept: number; readonly isMoving: boolean }> {
    const { directory, registry, without = [] } = this.#options
    let marker = begun
    await writeMarker(directory, marker)
    this.say('collections')
    await this.#each(this.#models, (model) => this.#count(model))
    const kept = [...this.#extents].filter(([model]) => this.#isThere(model))
    this.#done = kept.reduce((sum, [, { count }]) => sum + count, 0)
    for (let round = 0; round < ROUNDS; round += 1) {
      const missing = this.#models.filter((model) => !this.#isThere(model))
      await this.#each(missing, async (model) => {
        // What is fetched a second time has changed since it was counted.
        if (round > 0) await this.#count(model)
        await this.#fetch(model)
      })
      if (without.includes(CHANGES)) return { kept: kept.length, isMoving: false }
      const changed = await changedSince(this.#client, registry, marker.lastChange)
      if (!changed) return { kept: kept.length, isMoving: false }
      if (round === ROUNDS - 1) break
      // First away with them: whoever goes on from here fetches what is not there.
      for (const model of changed.models) {
        if (this.#extents.has(model)) {
          await rm(collectionFile(directory, model.path), { force: true })
        }
      }
      marker = { ...marker, lastChange: changed.lastChange }
      await writeMarker(directory, marker)
    }
    return { kept: kept.length, isMoving: true }
  }

  say(stage: string): void {
    this.#stage = stage
    this.#tell()
  }

  #tell(): void {
    const total = Math.max(this.rows, this.#done, 1)
    this.#options.progress?.({ done: this.#done, total, stage: this.#stage })
  }

  #isThere(model: Model): boolean {
    return existsSync(collectionFile(this.#options.directory, model.path))
  }

  async #count(model: Model): Promise<void> {
    this.#extents.set(model, await extentOf(this.#client, model.path))
  }

  readonly #countOf = (model: Model): number => this.#extents.get(model)?.count ?? 0

  async #fetch(model: Model): Promise<void> {
    const { directory, parallel = PARALLEL } = this.#options
    const extent = this.#extents.get(model)
    if (!extent) return
    this.say(model.path)
    const pages = pagesOf(this.#client, model.path, extent, parallel)
    await writeJsonLines(collectionFile(directory, model.path), this.#rowsOf(model, pages))
  }

  async *#rowsOf(model: Model, pages: ReturnType<typeof pagesOf>) {
    let read = 0
    for await (const rows of pages) {
      for (const row of rows) yield withoutBase(model, row, this.#base)
      read += rows.length
      this.#done += rows.length
      this.#tell()
    }
    if (read >= this.#countOf(model)) return
    // Fewer than were counted at first: some may have been deleted since.
    await this.#count(model)
    if (read < this.#countOf(model)) {
      throw new SourceError(
        `/api/${model.path}/ gave ${read} of ${this.#countOf(model)} objects only: run the import again.`,
      )
    }
  }

  /** Works on several models at a time; with the first failure all ends, and nothing goes on behind. */
  async #each(models: readonly Model[], work: (model: Model) => Promise<void>): Promise<void> {
    const turns = new Turns(this.#options.parallel ?? PARALLEL)
    let failure: { readonly error: unknown } | undefined
    await Promise.all(
      models.map((model) =>
        turns.take(async () => {
          if (failure) return
          try {
            await work(model)
          } catch (error) {
            failure ??= { error }
            this.#client.stop()
          }
        }),
      ),
    )
    if (failure) throw failure.error
  }
}
