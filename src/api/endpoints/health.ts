import { ApiError } from '../../base/errors.ts'
import { uploadProblem } from '../../config/data-directory.ts'
import { obstaclesOf, obstaclesText } from '../../db/migrate/compatibility.ts'
import { schemaOf } from '../../db/migrate/schema-of.ts'
import { readSchemaVersion, VERSION_TABLE } from '../../db/migrate/version.ts'
import type { Registry } from '../../schema/registry.ts'
import type { Service } from '../../service.ts'
import { sql } from '../../sql/fragment.ts'
import type { Queryable } from '../../sql/queryable.ts'
import { systemTable } from '../../sql/table.ts'
import type { Endpoint } from '../endpoint.ts'
import { jsonResponse } from '../response.ts'

/** Whether the process is about to stop. */
export interface Stopping {
  isBegun: boolean
}

/** Properties of all health endpoints: public, always JSON, with or without a trailing slash. */
const PUBLIC = { access: 'public', kind: 'probe' } as const

/** GET /health/live: 200 while the process responds; checks nothing else. */
export const liveness: Endpoint = {
  ...PUBLIC,
  name: 'Liveness',
  description: 'Reports that the process is running. If it does not respond, restart it.',
  methods: { GET: { handle: async () => jsonResponse(200, { status: 'ok' }) } },
}

/**
 * GET /health/ready and /health/: whether requests can be served, for load balancers. 503 while the database cannot
 * be reached or its disk is full, when another version of the program has changed its tables so that this one cannot
 * use them, or when the process is about to stop.
 */
export function readiness(stopping: Stopping): Endpoint {
  const tables = new TablesCheck()
  return {
    ...PUBLIC,
    name: 'Readiness',
    description: 'Reports whether the database is reachable, has room, and has the tables of this version.',
    methods: {
      GET: {
        handle: async ({ service }) => {
          const problem = stopping.isBegun
            ? 'The service is stopping.'
            : ((await tables.problem(service)) ?? storageProblem(service))
          if (problem !== undefined) throw new ApiError({ kind: 'unavailable', detail: problem })
          const warnings = [...standbyWarning(service), ...uploadWarning(service)]
          return jsonResponse(200, { status: 'ok', ...(warnings.length > 0 && { warnings }) })
        },
      },
    },
  }
}

/** Reason why the disk accepts no writes; undefined if no problem is known. */
function storageProblem({ database }: Service): string | undefined {
  const problem = database.writeProblem()
  return problem?.kind === 'storageFull' ? problem.detail : undefined
}

/** A standby serves reads, which is its purpose. */
function standbyWarning({ database }: Service): readonly string[] {
  const problem = database.writeProblem()
  return problem?.kind === 'readOnly' ? [problem.detail] : []
}

/** Everything except uploads works without their directory. */
function uploadWarning({ settings }: Service): readonly string[] {
  const problem = uploadProblem(settings)
  return problem === undefined ? [] : [problem]
}

/** Compares tables with declarations. The comparison is slow, so it runs only after the schema has changed. */
class TablesCheck {
  #applied: unknown
  #problem: string | undefined

  /** Reason why the tables cannot be used; undefined if they can. Throws ApiError if the database is unreachable. */
  async problem({ database, registry }: Service): Promise<string | undefined> {
    const [row] = await database.query(sql`select applied::text from ${systemTable(VERSION_TABLE)}`)
    if (this.#applied === undefined || row?.applied !== this.#applied) {
      this.#problem = await problemOfTables(database, registry)
      this.#applied = row?.applied
    }
    return this.#problem
  }
}

/** A later version that has only added to the tables is not a problem: the service continues until it is replaced. */
async function problemOfTables(database: Queryable, registry: Registry): Promise<string | undefined> {
  const version = await readSchemaVersion(database)
  if (!version) return 'The database has been emptied. Restart the service.'
  const declared = schemaOf(registry, { trigrams: false })
  const obstacles = obstaclesOf(declared, version.schema)
  if (obstacles.length === 0) return
  return `Another version of the program has changed the tables (${obstaclesText(obstacles)}). Start that version instead.`
}
