import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import type { ApiVersion } from '../../base/api-version.ts'
import type { Progress } from '../../base/progress.ts'
import { Turns } from '../../changes/background/turns.ts'
import { isJsonObject, type Json, type JsonObject } from '../../schema/json.ts'
import type { Model, Registry } from '../../schema/registry.ts'
import { isCollection } from '../collections.ts'
import { parseAddress } from './address.ts'
import { CHANGES, changedSince } from './changed-since.ts'
import { Client } from './client.ts'
import { discover } from './discover.ts'
import { downloadMedia } from './download-media.ts'
import { findOmissions, type Omissions } from './omissions.ts'
import { type CollectionExtent, extentOf, isDefect, pagesOf } from './pages.ts'
import { recoverHidden } from './recover-hidden.ts'
import { SourceError } from './source-error.ts'
import { collectionFile, type Marker, readMarker, writeJsonLines, writeMarker } from './work-directory.ts'

export interface DownloadOptions {
  /** Address of the service: https://… */
  readonly source: string
  readonly token: string
  /** Directory of the data set; continues an earlier run for the same source. */
  readonly directory: string
  readonly registry: Registry
  /** Maximum simultaneous requests. */
  readonly parallel?: number
  /** Collections to leave out: `core/object-changes`. */
  readonly without?: readonly string[]
  readonly progress?: (progress: Progress) => void
  /** Milliseconds before a failed request is retried for the first time. */
  readonly patience?: number
}

export interface DownloadReport {
  /** The version of the source's API. */
  readonly version: ApiVersion
  readonly rows: number
  /** Number of collections downloaded by an earlier run. */
  readonly kept: number
  /** Endpoints of the source that this service does not have, such as those of its plugins. */
  readonly unknown: readonly string[]
  /** Addresses of files that are not available. */
  readonly missingMedia: readonly string[]
  /** What the source fails to show, with the reason or the ids. */
  readonly unreadable: readonly string[]
  /** The source changed faster than it could be read: parts may be inconsistent. */
  readonly isMoving: boolean
  readonly omissions: Omissions
}

const PARALLEL = 4
/** Maximum rounds in which changed collections are downloaded again. */
const ROUNDS = 4
/** Endpoints about the running service that hold no data. */
const NO_DATA =
  /^core\/background-|^(dcim\/connected-device|users\/config|plugins\/installed-plugins|extras\/dashboard)$/

/**
 * Downloads a running service of the same API as a data set for importDataSet. The result is consistent even when the
 * source changes meanwhile: collections named by its change records are downloaded again. Throws SourceError; a later
 * run with the same directory continues.
 */
export async function download(options: DownloadOptions): Promise<DownloadReport> {
  const { token, directory, registry, parallel = PARALLEL, without = [] } = options
  const address = parseAddress(options.source)
  const marker = await readMarker(directory, address)
  const client = new Client(address, token, { ...options, parallel })
  const { base, version, endpoints, plugins } = await discover(client, address)
  const isWanted = ({ path }: Model) => !without.some((left) => path === left || path.startsWith(`${left}/`))
  const models = [...registry.models.values()].filter(
    (model) => isCollection(model) && endpoints.has(model.path) && isWanted(model),
  )
  // Roots of plugins do not name what is more than one level below them.
  for (const model of registry.models.values()) {
    const [, plugin = '', ...below] = model.path.split('/')
    if (below.length < 2 || endpoints.has(model.path) || !plugins.includes(plugin) || !isWanted(model)) continue
    if ((await client.json(`/api/${model.path}/?limit=1&fields=id`)) !== undefined) models.push(model)
  }
  const ownPaths = [...registry.models.values()].flatMap(({ path, definition }) => [
    path,
    ...(definition.aliases ?? []),
  ])
  const isServed = (path: string) => ownPaths.some((other) => other === path || other.startsWith(`${path}/`))
  const run = new Download(client, options, base, models)
  try {
    const { kept, isMoving } = await run.all(marker ?? (await begin(client, address, without)))
    run.say('media files')
    const missingMedia = await downloadMedia(client, directory, models)
    await recoverHidden(client, directory)
    return {
      version,
      rows: run.rows,
      kept,
      unknown: [...endpoints].filter((path) => !isServed(path) && !NO_DATA.test(path)).sort(),
      missingMedia,
      unreadable: run.unreadable,
      isMoving,
      omissions: await findOmissions(directory, models),
    }
  } finally {
    client.stop()
  }
}

/** A marker without a change record to continue from, if these are left out. */
async function begin(client: Client, source: string, without: readonly string[]): Promise<Marker> {
  const extent = without.includes(CHANGES) ? undefined : await extentOf(client, CHANGES)
  return { source, begun: new Date().toISOString(), lastChange: extent?.lastId ?? 0 }
}

/** One download, with its findings about the source. */
class Download {
  readonly #client: Client
  readonly #options: DownloadOptions
  readonly #base: string
  readonly #models: readonly Model[]
  readonly #extents = new Map<Model, CollectionExtent>()
  #done = 0
  #stage = 'collections'
  readonly #unreadable = new Map<string, Set<number>>()

  constructor(client: Client, options: DownloadOptions, base: string, models: readonly Model[]) {
    this.#client = client
    this.#options = options
    this.#base = base
    this.#models = models
  }

  /** What the source failed to show. */
  get unreadable(): readonly string[] {
    return [...this.#unreadable].map(([path, ids]) =>
      ids.size === 0 ? path : `${path}: ${[...ids].map((id) => `id ${id}`).join(', ')}`,
    )
  }

  /** Number of objects of all collections, as the source counts them. */
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
        // A collection that is downloaded again has changed since it was counted.
        if (round > 0) await this.#count(model)
        await this.#fetch(model)
      })
      if (without.includes(CHANGES)) return { kept: kept.length, isMoving: false }
      const changed = await changedSince(this.#client, registry, marker.lastChange)
      if (!changed) return { kept: kept.length, isMoving: false }
      if (round === ROUNDS - 1) break
      // Deleted first: an interrupted run then downloads what is missing.
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
    try {
      this.#extents.set(model, await extentOf(this.#client, model.path))
    } catch (error) {
      // A list of a plugin with a defect; objects of the core refer to each other, so that none of their lists may lack.
      if (!isDefect(error) || !model.path.startsWith('plugins/')) throw error
      this.#unreadable.set(model.path, new Set())
    }
  }

  readonly #countOf = (model: Model): number => this.#extents.get(model)?.count ?? 0

  async #fetch(model: Model): Promise<void> {
    const { directory, parallel = PARALLEL } = this.#options
    const extent = this.#extents.get(model)
    if (!extent) return
    this.say(model.path)
    this.#unreadable.delete(model.path)
    const pages = pagesOf(this.#client, model.path, extent, parallel, (ids) => {
      const known = this.#unreadable.get(model.path) ?? new Set()
      if (ids.length > 0) this.#unreadable.set(model.path, new Set([...known, ...ids]))
    })
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
    const { size = 0 } = this.#unreadable.get(model.path) ?? {}
    read += size
    if (read >= this.#countOf(model)) return
    // Fewer than counted at first: some may have been deleted since.
    await this.#count(model)
    if (read < this.#countOf(model)) {
      throw new SourceError(
        `/api/${model.path}/ gave ${read} of ${this.#countOf(model)} objects only: run the import again.`,
      )
    }
  }

  /** Works on several models at a time; the first failure stops all of them. */
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

/** Placeholder for the address of the service in a data set. */
const BASE = '{base}'

/** The object with `{base}` in place of the service's address; texts written by people are not changed. */
function withoutBase(model: Model, object: JsonObject, base: string): JsonObject {
  const cut = (value: Json): Json =>
    typeof value === 'string' && value.startsWith(`${base}/`) ? BASE + value.slice(base.length) : value
  const visit = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(visit)
    if (!isJsonObject(value)) return value
    const isObject = typeof value.id === 'number'
    return mapValues(value, (inner, name) =>
      isObject && (name === 'url' || name === 'display_url') ? cut(inner) : visit(inner),
    )
  }
  return mapValues(object, (value, name) => {
    const kind = model.fields.get(name)?.kind
    if (kind === 'json') return value
    const isAddress = kind === 'file' || name === 'url' || name === 'display_url'
    return isAddress ? cut(value) : visit(value)
  })
}

const mapValues = (object: JsonObject, change: (value: Json, name: string) => Json): JsonObject =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value, name)]))
