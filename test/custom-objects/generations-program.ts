import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { pino } from 'pino'
import { createApp } from '../../src/app/app.ts'
import { coreOver } from '../../src/app/core.ts'
import { loadSecrets } from '../../src/config/secrets.ts'
import { readSettings } from '../../src/config/settings.ts'
import { openPostgres } from '../../src/db/postgres.ts'

// Changes definitions again and again, and prints how many of the registries that were made are still in memory, and
// the bytes of the heap before and after. With HEAP_SNAPSHOT, it writes a snapshot to that file at the end.
// node --expose-gc test/custom-objects/generations-program.ts <URL of a migrated database> <data directory> <changes>

const [url = '', directory = '', changes = '0'] = process.argv.slice(2)
const TOKEN = '0123456789abcdef0123456789abcdef01234567'

const settings = readSettings({
  ...{ HOST: '127.0.0.1', PORT: '0', DATA_DIR: directory, LOG_LEVEL: 'error', METRICS_ENABLED: 'true' },
  ...{ SUPERUSER_NAME: 'admin', SUPERUSER_PASSWORD: 'admin', SUPERUSER_API_TOKEN: TOKEN },
})
const logger = pino({ level: 'error' }, pino.destination(2))
const database = openPostgres({ url, poolSize: 10, statementTimeout: 0 })
const core = await coreOver(
  database,
  settings,
  loadSecrets(settings, () => undefined),
)
const app = await createApp(core, logger)
app.startBackground()
const address = await app.listen()

const registries: WeakRef<object>[] = []
const noteRegistry = () => registries.push(new WeakRef(core.generations.current.service.registry))

const headers = { authorization: `Token ${TOKEN}`, 'content-type': 'application/json' }
async function ask(method: string, path: string, body?: object): Promise<{ id: number }> {
  const response = await fetch(address + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
  const text = await response.text()
  return text === '' ? { id: 0 } : JSON.parse(text)
}

/** A request of which the server has only the beginning, and a function that sends its rest and returns the response. */
async function begun(): Promise<() => Promise<string>> {
  const { hostname, port } = new URL(address)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  const body = JSON.stringify({ name: 'slow', slug: 'slow' })
  const lines = [
    'POST /api/dcim/sites/ HTTP/1.1',
    'Host: localhost',
    `Authorization: Token ${TOKEN}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    'Connection: close',
  ]
  socket.write(`${lines.join('\r\n')}\r\n\r\n${body.slice(0, 5)}`)
  await setTimeout(200)
  return async () => {
    socket.write(body.slice(5))
    const chunks: Buffer[] = []
    for await (const chunk of socket) chunks.push(chunk)
    return Buffer.concat(chunks).toString().split('\r\n')[0] ?? ''
  }
}

const TYPES = '/api/plugins/custom-objects/custom-object-types/'
const FIELDS = '/api/plugins/custom-objects/custom-object-type-fields/'
const type = await ask('POST', TYPES, { name: 'thing', slug: 'things' })
noteRegistry()
const finish = await begun()
globalThis.gc?.()
const before = process.memoryUsage()
for (let n = 0; n < Number(changes); n += 3) {
  await ask('POST', FIELDS, { custom_object_type: type.id, name: `f${n}`, type: 'text' })
  noteRegistry()
  const body = { object_type: 'dcim.site', name: `c${n}`, expression: 'upper(name)' }
  const { id } = await ask('POST', '/api/extras/computed-fields/', body)
  noteRegistry()
  // What requests of each kind keep of the models.
  await ask('GET', '/api/dcim/sites/?limit=1')
  await ask('POST', '/graphql/', { query: '{site_list(pagination:{limit:1}){name}}' })
  await fetch(`${address}/dcim/sites/`, { headers: { ...headers, accept: 'text/html' } }).then((page) => page.text())
  await ask('DELETE', `/api/extras/computed-fields/${id}/`)
  noteRegistry()
}
const slow = await finish()
// The background work begins its next turns with the latest models.
for (let round = 0; round < 20; round++) {
  await setTimeout(100)
  globalThis.gc?.()
}
const alive = registries.filter((registry) => registry.deref() !== undefined).length
const after = process.memoryUsage()
console.log(JSON.stringify({ made: registries.length, alive, slow, before, after }))
if (process.env.HEAP_SNAPSHOT) (await import('node:v8')).writeHeapSnapshot(process.env.HEAP_SNAPSHOT)
await app.close()
