import { dataDirectoryProblem } from '../../config/data-directory.ts'
import { ApiError } from '../../errors.ts'
import { pendingMigration } from '../../migrate/pending.ts'
import type { MigrationStep } from '../../migrate/steps.ts'
import { VERSION_TABLE } from '../../migrate/version.ts'
import type { Service } from '../../service.ts'
import { sql } from '../../sql/fragment.ts'
import { systemTable } from '../../sql/table.ts'
import type { Endpoint } from '../endpoint.ts'
import { jsonResponse } from '../response.ts'

/** What the endpoints of health have in common: they answer anybody, in JSON, with or without a slash. */
const PUBLIC = { isPublic: true, negotiates: true, isFile: true } as const

/** GET /health/live: the process answers; whether it is of use is not asked. */
export const liveness: Endpoint = {
  ...PUBLIC,
  name: 'Liveness',
  description: 'Whether the process answers. When it does not, it has to be started anew.',
  methods: { GET: async () => jsonResponse(200, { status: 'ok' }) },
}

/**
 * GET /health/ready, and /health/: whether requests can be served, for load balancers. 503 while the
 * database cannot be reached or written, or when another version of the program has made tables of its own in it.
 */
export function readiness(steps: readonly MigrationStep[]): Endpoint {
  const tables = new TablesCheck(steps)
  return {
    ...PUBLIC,
    name: 'Readiness',
    description:
      'Whether the database answers, can be written, and has the tables of this version.',
    methods: {
      GET: async ({ service }) => {
        const problem = (await tables.problem(service)) ?? writeProblem(service)
        if (problem !== undefined) throw new ApiError({ kind: 'unavailable', detail: problem })
        const warning = uploadProblem(service)
        return jsonResponse(200, {
          status: 'ok',
          ...(warning !== undefined && { warnings: [warning] }),
        })
      },
    },
  }
}

/** Why nothing can be written at the moment; undefined where nothing is known to prevent it. */
function writeProblem({ database, settings }: Service): string | undefined {
  const inDirectory =
    database.kind === 'pglite' ? dataDirectoryProblem(settings.dataDir) : undefined
  return inDirectory ?? database.writeProblem?.()
}

/** Why files cannot be uploaded although everything else works: with a server, DATA_DIR holds nothing else. */
function uploadProblem({ settings }: Service): string | undefined {
  const problem = dataDirectoryProblem(settings.dataDir)
  return problem && `${problem} Files cannot be uploaded.`
}

/** Compares tables with declarations, which takes a while, only when somebody has changed them. */
class TablesCheck {
  readonly #steps: readonly MigrationStep[]
  #applied: unknown
  #problem: string | undefined

  constructor(steps: readonly MigrationStep[]) {
    this.#steps = steps
  }

  /** Why the tables are of no use. Undefined: they are. Throws ApiError without the database. */
  async problem({ database, registry }: Service): Promise<string | undefined> {
    const [row] = await database.query(sql`select applied::text from ${systemTable(VERSION_TABLE)}`)
    if (this.#applied === undefined || row?.applied !== this.#applied) {
      const { state } = await pendingMigration(database, registry, this.#steps)
      this.#problem = PROBLEMS[state]
      this.#applied = row?.applied
    }
    return this.#problem
  }
}

const PROBLEMS: Readonly<Record<string, string>> = {
  empty: 'The database has been emptied. Restart the service.',
  behind: 'The tables are older than this version of the program. Restart the service.',
  foreign: 'Another version of the program has changed the tables. Start that version instead.',
}
