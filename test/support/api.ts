import { type DestinationStream, pino } from 'pino'
import { expect, onTestFinished } from 'vitest'
import { createApp } from '../../src/app/app.ts'
import { coreOver } from '../../src/app/core.ts'
import { type Clock, systemClock } from '../../src/base/clock.ts'
import type { Background } from '../../src/changes/background/background.ts'
import { loadSecrets } from '../../src/config/secrets.ts'
import type { Database } from '../../src/db/database.ts'
import { auditLog } from '../../src/identity/audit-log.ts'
import type { Service } from '../../src/service.ts'
import { openTestDatabase } from './database.ts'
import { dataDirectoryOfRun } from './directory.ts'
import { type TestSettings, testSettings } from './settings.ts'

/** Key of the superuser's token. */
export const ADMIN_TOKEN = '0123456789abcdef0123456789abcdef01234567'

/** A document of any form, for looking into it: any property may turn out to be undefined. */
export type Document = { readonly [name: string]: Document } & readonly Document[]

export interface ApiAnswer {
  readonly status: number
  readonly headers: Headers
  /** The body as received. */
  readonly text: string
  /** The body as JSON; throws if it is not JSON. */
  readonly json: Document
}

export interface Ask {
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** Null: without a token. */
  readonly token?: string | null
}

/** The whole program, answering over HTTP in this process. */
export interface Api {
  readonly url: string
  readonly service: Service
  /**
   * Work that does not belong to a request. It does not run by itself: `runUntilIdle` does all pending work and
   * returns, so that tests need not wait; `start` starts the loops, for tests of what happens during such work.
   */
  readonly background: Background
  /** A body that is a string, bytes or a form is sent unchanged, any other as JSON. Redirects are shown. */
  ask(method: string, path: string, options?: Ask): Promise<ApiAnswer>
  /** Creates an object, as in `make('dcim/sites', {…})`, and returns its id. Fails the test if it is refused. */
  make(path: string, body: unknown): Promise<number>
  close(): Promise<void>
}

/** Starts the program over a new database. `environment` overrides configuration and limits; `log` gets its lines. */
export async function startApi(environment?: TestSettings, log?: DestinationStream, clock?: Clock): Promise<Api> {
  const database = await openTestDatabase('migrated')
  try {
    return await startApiOver(database, environment, log, clock)
  } catch (error) {
    await database.close()
    throw error
  }
}

/** As `startApi`, over an open database, which the API then closes. */
export async function startApiOver(
  database: Database,
  environment: TestSettings = {},
  log: DestinationStream = pino.destination(1),
  clock: Clock = systemClock,
): Promise<Api> {
  const data = dataDirectoryOfRun()
  const settings = testSettings({
    HOST: '127.0.0.1',
    PORT: '0',
    DATA_DIR: data.directory,
    SUPERUSER_PASSWORD: 'admin',
    SUPERUSER_API_TOKEN: ADMIN_TOKEN,
    LOG_LEVEL: 'error',
    ...environment,
  })
  // Port 0 is any free one; the type of PORT allows it.
  const logger = pino({ level: settings.logLevel }, log)
  const core = await coreOver(
    database,
    settings,
    loadSecrets(settings, () => undefined),
    { audit: auditLog(logger), clock },
  )
  const app = await createApp(core, logger)
  const url = await app.listen()
  return {
    url,
    service: core.service,
    background: app.background,
    ask: (method, path, options) => ask(url, method, path, options),
    async make(path, body) {
      const { status, text, json } = await ask(url, 'POST', `/api/${path}/`, { body })
      expect(status, text).toBe(201)
      return Number(json.id)
    },
    async close() {
      await app.close()
      data.share()
    },
  }
}

/** As `startApi`, for one test. */
export async function apiOfTest(environment?: TestSettings, log?: DestinationStream): Promise<Api> {
  const api = await startApi(environment, log)
  onTestFinished(() => api.close())
  return api
}

async function ask(
  url: string,
  method: string,
  path: string,
  { body, headers = {}, token = ADMIN_TOKEN }: Ask = {},
): Promise<ApiAnswer> {
  const raw = typeof body === 'string' || body instanceof FormData ? body : undefined
  const response = await fetch(url + path, {
    method,
    redirect: 'manual',
    headers: {
      ...(token !== null && { authorization: `Token ${token}` }),
      ...(body !== undefined && raw === undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: raw ?? JSON.stringify(body) }),
  })
  const text = await response.text()
  return {
    status: response.status,
    headers: response.headers,
    text,
    get json() {
      return JSON.parse(text)
    },
  }
}
