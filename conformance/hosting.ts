import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { startGitServer } from '../test/support/git-server.ts'
import { RECORDED_DIRECTORY, RECORDED_GIT_SERVER, RecordedFiles } from './data-source-files.ts'
import type { Options } from './options.ts'
import { createScratchDatabase, type ScratchDatabase } from './scratch-database.ts'
import { RECORDED_SCRIPTS } from './script-scenario.ts'
import { dataDirectory, importDataset, type Place, printDocument, type RunningServer, startServer } from './server.ts'

/** A server with its resources: stopping it also drops its database. */
export interface Host {
  readonly url: string
  /** Files that its data sources may be fetched from. */
  readonly sources?: RecordedSources
  /** Returns the server's last log lines if it had exited by itself. */
  stop(): Promise<string | undefined>
}

/** The files of recorded data sources, and the replacements for the recorded addresses. */
export interface RecordedSources {
  readonly files: RecordedFiles
  readonly replaced: readonly (readonly [recorded: string, here: string])[]
}

type Wanted = Pick<Options, 'apiVersion' | 'databaseUrl' | 'readsUrl' | 'scenariosUrl' | 'token'>

/** A database with the recorded data set. Each server gets a copy, because an import takes half a minute. */
export class Dataset {
  readonly #directory: string
  readonly #folder: string
  readonly #wanted: Wanted
  #imported: Promise<Imported> | undefined

  /** `directory`: the recordings. `folder`: where the database keeps its files. */
  constructor(directory: string, folder: string, wanted: Wanted) {
    this.#directory = join(directory, 'dataset')
    this.#folder = folder
    this.#wanted = wanted
  }

  /** A new server on the data set. */
  async host(folder: string, settings: Readonly<Record<string, string>>): Promise<Host> {
    const { apiVersion, databaseUrl } = this.#wanted
    if (databaseUrl === undefined) {
      const place: Place = { folder, databaseUrl, apiVersion }
      await importDataset(this.#directory, place)
      return await startServer({ ...place, settings })
    }
    this.#imported ??= this.#import(databaseUrl)
    const { database, place } = await this.#imported
    // With the secrets that belong to the database.
    cpSync(dataDirectory(place), dataDirectory({ folder }), { recursive: true })
    const purpose = basename(folder)
    return await onOwnDatabase({ folder, purpose, template: database.url }, this.#wanted, (copy) =>
      startServer({ ...copy, settings }),
    )
  }

  /** Drops its database. */
  async close(): Promise<void> {
    const imported = await this.#imported?.catch(() => undefined)
    await imported?.database.drop()
  }

  async #import(databaseUrl: string): Promise<Imported> {
    const database = await createScratchDatabase(databaseUrl, 'dataset')
    const place: Place = { folder: this.#folder, databaseUrl: database.url, apiVersion: this.#wanted.apiVersion }
    try {
      await importDataset(this.#directory, place)
    } catch (error) {
      await database.drop()
      throw error
    }
    return { database, place }
  }
}

interface Imported {
  readonly database: ScratchDatabase
  readonly place: Place
}

/** The server for reads: the one named in the options, or a new one on the data set. */
export async function hostReads(dataset: Dataset, folder: string, { readsUrl }: Wanted): Promise<Host> {
  if (readsUrl !== undefined) return elsewhere(readsUrl)
  // Jobs would synchronise the data set's sources while they are read.
  return await dataset.host(folder, { JOB_WORKERS: '0' })
}

/** As `hostReads`, open to clients without credentials if the recorded server was for GraphQL: that of 4.6 was. */
export async function hostGraphql(dataset: Dataset, folder: string, wanted: Wanted): Promise<Host> {
  if (wanted.readsUrl !== undefined) return elsewhere(wanted.readsUrl)
  return await dataset.host(folder, { JOB_WORKERS: '0', LOGIN_REQUIRED: String(wanted.apiVersion !== '4.6') })
}

/** A new server on the data set, which sends webhooks to this machine. */
export const hostWebhooks = (dataset: Dataset, folder: string): Promise<Host> =>
  dataset.host(folder, {
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
    SCRIPTS_ROOT: RECORDED_SCRIPTS,
    // As in the recordings, nothing is repeated during the replay.
    WEBHOOK_RETRY_DELAY: '3600000',
  })

/** A new server on the data set, which takes uploads of scripts. */
export function hostScripts(dataset: Dataset, folder: string): Promise<Host> {
  const root = join(folder, 'uploads')
  mkdirSync(root, { recursive: true })
  return dataset.host(folder, { SCRIPTS_ROOT: root })
}

/** A new server on the data set, into which more is imported. */
export const hostImports = (dataset: Dataset, folder: string): Promise<Host> =>
  dataset.host(folder, { JOB_WORKERS: '0' })

/** The server for scenarios: the one named in the options, or a new one with an empty database. */
export async function hostScenarios(folder: string, wanted: Wanted): Promise<Host> {
  if (wanted.scenariosUrl !== undefined) return elsewhere(wanted.scenariosUrl)
  return onOwnDatabase({ folder, purpose: 'scenarios' }, wanted, (place) =>
    startServer({
      ...place,
      settings: superuser(wanted),
    }),
  )
}

/** A new server with an empty database, which may fetch data sources from files that are created for it. */
export async function hostDataSources(folder: string, wanted: Wanted): Promise<Host> {
  const files = await RecordedFiles.create(join(folder, 'sources'))
  const git = await startGitServer(files.directory)
  const host = await onOwnDatabase({ folder, purpose: 'data-sources' }, wanted, (place) =>
    startServer({
      ...place,
      settings: {
        ...superuser(wanted),
        DATA_SOURCE_DIRECTORIES: files.directory,
        DATA_SOURCE_ALLOWED_NETWORKS: '127.0.0.0/8',
      },
    }),
  ).catch(async (error) => {
    // An open server would keep the run from ending.
    await git.close()
    throw error
  })
  return {
    url: host.url,
    sources: {
      files,
      replaced: [
        [RECORDED_DIRECTORY, files.directory],
        [RECORDED_GIT_SERVER, git.url],
      ],
    },
    stop: async () => {
      await git.close()
      return await host.stop()
    },
  }
}

const superuser = ({ token }: Wanted) => ({
  SUPERUSER_NAME: 'admin',
  SUPERUSER_PASSWORD: 'admin',
  SUPERUSER_API_TOKEN: token,
})

/** Our OpenAPI document in a file, since comparing documents needs no server. */
export async function hostDocument(folder: string, { apiVersion }: Wanted): Promise<Host> {
  const file = join(folder, 'openapi.json')
  writeFileSync(file, await printDocument({ folder, databaseUrl: undefined, apiVersion }))
  return elsewhere(pathToFileURL(file).href)
}

const elsewhere = (url: string): Host => ({ url, stop: async () => undefined })

async function onOwnDatabase(
  { folder, purpose, template }: { readonly folder: string; readonly purpose: string; readonly template?: string },
  wanted: Wanted,
  open: (place: Place) => Promise<RunningServer>,
): Promise<Host> {
  const { apiVersion } = wanted
  if (wanted.databaseUrl === undefined) return open({ folder, databaseUrl: undefined, apiVersion })

  const database = await createScratchDatabase(wanted.databaseUrl, purpose, template)
  try {
    const server = await open({ folder, databaseUrl: database.url, apiVersion })
    return {
      url: server.url,
      stop: async () => {
        const lastWords = await server.stop()
        await database.drop()
        return lastWords
      },
    }
  } catch (error) {
    await database.drop()
    throw error
  }
}
