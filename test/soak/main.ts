import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { memoryOf } from '../support/process-memory.ts'
import { type ServerProcess, send, startServer } from '../support/server.ts'
import { type Growth, growthOf, hasGrown, type Sample } from './growth.ts'
import { type LoadReport, runLoad } from './load.ts'

// Sixteen clients with mixed load, while the resources of the server are recorded: node test/soak/main.ts --minutes 30
// --warm-up 5 Fails if memory, file descriptors or connections have grown after the warm-up, or if a response was not
// as expected.

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '30' },
    'warm-up': { type: 'string', default: '5' },
    /** Part by which memory may grow after the warm-up. */
    tolerance: { type: 'string', default: '0.1' },
    /** Milliseconds between two rounds of a client. */
    pause: { type: 'string', default: '20' },
  },
})
const seconds = Number(values.minutes) * 60
const warmUp = Number(values['warm-up']) * 60
const SAMPLES = 60
const interval = seconds / SAMPLES

const METRICS: Readonly<Record<'heap' | 'descriptors' | 'connections', RegExp>> = {
  heap: /^nodejs_heap_size_used_bytes (\d+)$/m,
  descriptors: /^process_open_fds (\d+)$/m,
  connections: /^cadastre_database_connections\{state="open"\} (\d+)$/m,
}

async function sampleOf(server: ServerProcess, time: number): Promise<Sample> {
  const text = await (await send(server, 'GET', '/metrics')).text()
  const of = (metric: RegExp): number => {
    const value = metric.exec(text)?.[1]
    if (value === undefined) throw new Error(`The server does not report ${metric.source}`)
    return Number(value)
  }
  const { service, database } = memoryOf(server.process.pid ?? 0)
  return {
    ...{ time, memory: service, database },
    heap: of(METRICS.heap),
    descriptors: of(METRICS.descriptors),
    connections: of(METRICS.connections),
  }
}

async function measure(server: ServerProcess): Promise<readonly Sample[]> {
  const start = performance.now()
  const samples: Sample[] = []
  while (samples.length < SAMPLES) {
    await new Promise((resolve) => setTimeout(resolve, interval * 1000))
    const time = (performance.now() - start) / 1000
    const sample = await sampleOf(server, time)
    samples.push(sample)
    const { memory, database, heap, descriptors, connections } = sample
    const [own, ofDatabase, live] = [memory, database, heap].map((bytes) => (bytes / 1_048_576).toFixed(0))
    console.log(
      `${time.toFixed(0)} s: ${own} MB, PostgreSQL ${ofDatabase} MB, heap ${live} MB, ${descriptors} descriptors, ${connections} connections`,
    )
  }
  return samples
}

function print({ answered, failures }: LoadReport, growths: readonly Growth[]): void {
  for (const [kind, count] of answered) console.log(`${kind}: ${count} rounds`)
  for (const failure of failures.slice(0, 10)) console.log(failure)
  for (const growth of growths) {
    const { resource, before, after, limit } = growth
    const [first, last, most] = [before, after, limit].map((value) => value.toFixed(0))
    const verdict = hasGrown(growth) ? 'has grown' : 'steady'
    console.log(`${resource}: ${first} at first, ${last} at the end, limit ${most}: ${verdict}`)
  }
  const failed = growths.filter(hasGrown).length + (failures.length > 0 ? 1 : 0)
  console.log(`${growths.length + 1 - failed} passed, ${failed} failed, 0 skipped`)
  if (failed > 0) process.exitCode = 1
}

const directory = mkdtempSync(join(tmpdir(), 'cadastre-soak-'))
try {
  const server = await startServer({
    ...{ DATA_DIR: directory, DEMO: 'true', METRICS_ENABLED: 'true', LOG_LEVEL: 'warn' },
    // The cache is full before the warm-up ends, because a cache that fills up is not a leak.
    CACHE_SIZE: '16777216',
  })
  try {
    const stopping = new AbortController()
    const load = runLoad({ server, pause: Number(values.pause), signal: stopping.signal })
    const samples = await measure(server)
    stopping.abort()
    print(await load, growthOf(samples, warmUp, Number(values.tolerance)))
  } finally {
    await server.stop()
  }
} finally {
  rmSync(directory, { recursive: true, force: true })
}
