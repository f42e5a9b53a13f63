import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startPostgres } from '../test/support/postgres.ts'
import { type ServerProcess, startServer } from '../test/support/server.ts'
import { request } from './client.ts'
import { measure, TIMING_HEADER, type Timing, timingLine } from './timing.ts'

// npm run bench -- [--storage pglite|postgres] [--devices 50000]
// Generates an inventory, serves it from a process of its own, and times requests one after another.

const { values } = parseArgs({
  options: {
    storage: { type: 'string', default: 'pglite' },
    devices: { type: 'string', default: '50000' },
  },
})

const PAGES: readonly (readonly [name: string, path: string, times: number])[] = [
  ['devices, page of 50', '/api/dcim/devices/?limit=50', 200],
  ['devices, page of 50, offset 25,000', '/api/dcim/devices/?limit=50&offset=25000', 100],
  ['devices, page of 50, no context', '/api/dcim/devices/?limit=50&exclude=config_context', 200],
  ['devices, page of 50, brief', '/api/dcim/devices/?limit=50&brief=1', 200],
  ['devices, page of 1,000', '/api/dcim/devices/?limit=1000', 20],
  ['devices, name contains', '/api/dcim/devices/?limit=50&name__ic=r1', 100],
  ['interfaces, page of 50', '/api/dcim/interfaces/?limit=50', 200],
  ['sites, page of 50', '/api/dcim/sites/?limit=50', 200],
]

/** Different addresses for each turn, so that uniqueness is checked and holds. */
const addresses = (turn: number) =>
  Array.from({ length: 1000 }, (_, index) => ({
    address: `100.${64 + ((turn + 20) % 60)}.${Math.floor(index / 250)}.${(index % 250) + 1}/16`,
  }))

async function measureAll(server: ServerProcess): Promise<Timing[]> {
  const timings: Timing[] = []
  for (const [name, path, times] of PAGES) {
    timings.push(await measure(name, times, () => request(server, 'GET', path)))
  }
  timings.push(
    await measure(
      'addresses, create 1,000 in bulk',
      5,
      (turn) => request(server, 'POST', '/api/ipam/ip-addresses/', addresses(turn)),
      2,
    ),
  )
  return timings
}

const directory = mkdtempSync(join(tmpdir(), 'cadastre-bench-'))
const postgres = values.storage === 'postgres' ? await startPostgres() : undefined
const environment = { DATA_DIR: directory, ...(postgres ? { DATABASE_URL: postgres.url } : {}) }
try {
  execFileSync(process.execPath, ['src/cli/main.ts', 'generate', '--devices', values.devices], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const server = await startServer({ ...environment, LOG_LEVEL: 'warn' })
  const timings = await measureAll(server)
  await server.stop()
  console.log(`\n${values.storage}, ${values.devices} devices\n${TIMING_HEADER}`)
  for (const timing of timings) console.log(timingLine(timing))
} finally {
  await postgres?.stop()
  rmSync(directory, { recursive: true, force: true })
}
