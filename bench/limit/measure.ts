import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Dataset } from '../dataset.ts'
import { measureRead } from '../measure/read-load.ts'
import type { LimitRow } from '../result.ts'
import type { ServerUnderTest } from '../servers/server-under-test.ts'
import { pageStatements } from './page-statements.ts'
import { pagesOfLimit } from './pages.ts'

export interface LimitOptions {
  readonly connections: number
  readonly seconds: number
}

/** The servers are measured alternately, so that a disturbance of the machine affects both. */
const TURNS = 3

/** Compares the service with a bare server that runs the same query for the same page. */
export async function measureLimit(
  server: ServerUnderTest,
  dataset: Dataset,
  { connections, seconds }: LimitOptions,
): Promise<LimitRow[]> {
  const { own, access } = server
  const databaseUrl = own?.environment.DATABASE_URL
  if (!own || !databaseUrl) {
    throw new Error('The limit is measured with a server of our own on PostgreSQL only.')
  }
  const wanted = pagesOfLimit(dataset)
  const statements = await pageStatements(own.environment, access.token, wanted)
  const child = fork(join(import.meta.dirname, 'bare-server.ts'))
  try {
    child.send({ databaseUrl, pages: statements })
    const bare = { url: `http://127.0.0.1:${await portOf(child)}`, token: access.token }
    const rows: LimitRow[] = []
    for (const { name, path } of wanted) {
      // The service reads the rows for every request, as the bare server does.
      const load = { name, method: 'GET', path, connections, varied: false, seconds } as const
      const varied = { ...load, varied: true }
      const pairs: LimitRow[] = []
      for (let turn = 0; turn < TURNS; turn++) {
        pairs.push({
          name,
          ours: await measureRead(access, server.watched, varied),
          bare: await measureRead(bare, { ...server.watched, server: child.pid }, load),
        })
      }
      rows.push(middleOf(pairs))
    }
    return rows
  } finally {
    child.kill()
  }
}

/** The pair with the median share of the limit. */
function middleOf(pairs: readonly LimitRow[]): LimitRow {
  const sorted = pairs.toSorted((a, b) => a.ours.rate / a.bare.rate - b.ours.rate / b.bare.rate)
  const middle = sorted[Math.floor(sorted.length / 2)]
  if (!middle) throw new Error('Nothing was measured')
  return middle
}

async function portOf(child: ChildProcess): Promise<number> {
  const [port] = await once(child, 'message')
  return Number(port)
}
