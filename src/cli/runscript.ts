import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { Command, Option } from 'commander'
import { scriptRunner } from '../app/app.ts'
import type { Core } from '../app/core.ts'
import { ConfigurationError } from '../base/errors.ts'
import { readSettings } from '../config/settings.ts'
import type { User } from '../identity/actor.ts'
import { loadUser, type UserRow } from '../identity/load-user.ts'
import { isJsonObject, type Json, parseJson } from '../schema/json.ts'
import { SYSTEM } from '../schema/system-models.ts'
import { sql } from '../sql/fragment.ts'
import { table } from '../sql/table.ts'
import { userNamed } from './accounts.ts'
import { createTerminalLogger } from './logger.ts'
import { withCore } from './with-core.ts'

/** Levels of log entries, each of which includes the later ones; `success` is for people, and as important as `info`. */
const LEVELS = ['debug', 'info', 'warning', 'error', 'critical'] as const
type Level = (typeof LEVELS)[number]
const LEVEL_OF: Readonly<Record<string, Level>> = { debug: 'debug', info: 'info', success: 'info', warning: 'warning' }

interface Options {
  readonly data: string
  readonly commit?: boolean
  readonly user?: string
  readonly loglevel: Level
}

/** The job of a run. */
interface ScriptJob extends Record<string, unknown> {
  readonly status: string
  readonly error: string
  /** A JSON document. */
  readonly data: string | null
}

/** Milliseconds between two looks at the job. */
const PAUSE = 200
const OPEN: ReadonlySet<string> = new Set(['pending', 'scheduled', 'running'])

/** Runs a script at once, as NetBox's command of the same name does. */
export const runScriptCommand = new Command('runscript')
  .description('Run a script and print its log and result.')
  .argument('<script>', 'the module and the name of the script: audit.FindDuplicates')
  .option('--data <json>', 'values of the variables, as a JSON object', '{}')
  .option('--commit', 'save the changes; without it they are rolled back')
  .option('--user <username>', 'user whose permissions the script gets (default: the first superuser)')
  .addOption(new Option('--loglevel <level>', 'lowest level of log entries to print').choices(LEVELS).default('info'))
  .action(async (script: string, { data, commit = false, user, loglevel }: Options) => {
    const settings = { ...readSettings(process.env), jobWorkers: 1 }
    const work = async (core: Core): Promise<void> => {
      const runner = scriptRunner(core, createTerminalLogger())
      await runner.readDirectory()
      runner.worker.start()
      try {
        const job = await start(core, runner.respond, script, { data: jsonOf(data), commit, user })
        report(await endOf(core, job), loglevel)
      } finally {
        await runner.worker.stop()
      }
    }
    await withCore(work, { namesDatabase: true }, settings)
  })

function jsonOf(text: string): Json {
  try {
    return parseJson(text) as Json // a document of the user's
  } catch {
    throw new ConfigurationError('--data must be a JSON object, such as {"site": 1}.')
  }
}

/** Id of the job. Throws ConfigurationError with the reasons if the run is refused. */
async function start(
  core: Core,
  respond: ReturnType<typeof scriptRunner>['respond'],
  script: string,
  { data, commit, user }: { readonly data: Json; readonly commit: boolean; readonly user: string | undefined },
): Promise<number> {
  const { status, body } = await respond({
    ...{ service: core.service, actor: await runAs(core, user), id: randomUUID() },
    ...{ base: `http://localhost${core.service.settings.basePath}`, method: 'POST' },
    path: `/api/extras/scripts/${encodeURIComponent(script)}/`,
    body: { data, commit },
    signal: new AbortController().signal,
  })
  const response: unknown = JSON.parse(body ?? 'null')
  const result = isJsonObject(response) ? response.result : undefined
  if (status === 200 && isJsonObject(result)) return Number(result.id)
  throw new ConfigurationError(`The script was not run: ${body ?? status}`)
}

async function runAs(core: Core, username: string | undefined): Promise<User> {
  const { service } = core
  const id = username === undefined ? undefined : await userNamed(core, username)
  const [row] = await service.database.query<UserRow & Record<string, unknown>>(sql`
    select id, username, is_superuser from ${table(SYSTEM.user)}
    where is_active and ${id === undefined ? sql`is_superuser` : sql`id = ${id}::bigint`} order by id limit 1`)
  if (!row) throw new ConfigurationError('There is no active user to run the script; name one with --user.')
  return await loadUser(service, row)
}

async function endOf({ service }: Core, id: number): Promise<ScriptJob> {
  for (;;) {
    const [job] = await service.database.query<ScriptJob>(sql`
      select status, error, data::text as data from ${table(SYSTEM.job)} where id = ${id}::bigint`)
    if (!job) throw new ConfigurationError('The job of the script has been deleted.')
    if (!OPEN.has(job.status)) return job
    await setTimeout(PAUSE)
  }
}

function report({ status, error, data }: ScriptJob, least: Level): void {
  const document: unknown = JSON.parse(data ?? 'null')
  const { log = [], output = null, tests = {} } = isJsonObject(document) ? document : {}
  for (const entry of Array.isArray(log) ? log : []) {
    const { time, status: level, message, obj = null } = isJsonObject(entry) ? entry : {}
    if (LEVELS.indexOf(LEVEL_OF[String(level)] ?? 'error') < LEVELS.indexOf(least)) continue
    console.log(`[${String(time)}][${String(level)}] ${obj === null ? '' : `${String(obj)}: `}${String(message)}`)
  }
  for (const [name, test] of isJsonObject(tests) ? Object.entries(tests) : []) {
    const { log: _log, ...counts } = isJsonObject(test) ? test : {}
    const sums = Object.entries(counts).map(([level, count]) => `${level} ${String(count)}`)
    console.log(`${name}: ${sums.join(', ')}`)
  }
  if (output !== null && output !== '')
    console.log(typeof output === 'string' ? output : JSON.stringify(output, null, 2))
  if (status === 'completed') return
  console.error(`The script has ended with the status ${status}: ${error}`)
  process.exitCode = 1
}
