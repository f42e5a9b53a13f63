import { SERVER_TOKEN, type ServerProcess, send } from '../support/server.ts'

/** Requests that were answered, by kind of client, and unexpected responses. */
export interface LoadReport {
  readonly answered: Map<string, number>
  readonly failures: string[]
}

export interface LoadOptions {
  readonly server: ServerProcess
  /** Milliseconds that a client pauses after each round. */
  readonly pause: number
  readonly signal: AbortSignal
}

interface Client extends LoadOptions {
  readonly number: number
  /** Number of the round, from 0. */
  readonly round: number
  /** Sends a request and reads its response; throws if the status is not 2xx. */
  ask(method: string, path: string, body?: unknown): Promise<string>
}

type Round = (client: Client) => Promise<void>

const pick = <T>(list: readonly T[], number: number): T => {
  const chosen = list[number % list.length]
  if (chosen === undefined) throw new Error('The list is empty')
  return chosen
}

const READS = [
  '/api/dcim/devices/',
  '/api/dcim/interfaces/?limit=50',
  '/api/dcim/interfaces/?limit=20&ordering=-name',
  '/api/ipam/prefixes/',
  '/api/ipam/ip-addresses/?brief=1',
  '/api/dcim/sites/?fields=name,slug,device_count',
  '/api/core/object-changes/?limit=10',
  '/api/search/?q=a',
]

const readLists: Round = async ({ ask, round, number }) => {
  await ask('GET', pick(READS, round + number))
  // A text that no other request has, so that nothing of the response is cached.
  await ask('GET', `/api/dcim/devices/?name__ic=${number}x${round}`)
}

const readPages: Round = async ({ ask, round }) => {
  await ask('GET', pick(['/dcim/devices/', '/dcim/sites/1/', '/ipam/prefixes/', '/search/?q=a'], round))
}

const queryGraphql: Round = async ({ ask }) => {
  const query = '{ device_list { id name site { name } interfaces { name } } }'
  await ask('POST', '/graphql/', { query })
}

const write: Round = async ({ ask, round, number }) => {
  const slug = `soak-${number}-${round}`
  const { id } = JSON.parse(await ask('POST', '/api/dcim/sites/', { name: slug, slug }))
  await ask('PATCH', `/api/dcim/sites/${id}/`, { description: 'changed', tags: [] })
  await ask('GET', `/api/dcim/sites/${id}/`)
  await ask('DELETE', `/api/dcim/sites/${id}/`)
}

const writeMany: Round = async ({ ask, round, number }) => {
  const names = Array.from({ length: 20 }, (_, index) => `soak-${number}-${round}-${index}`)
  const bodies = names.map((name) => ({ name, slug: name }))
  const made: readonly { id: number }[] = JSON.parse(await ask('POST', '/api/dcim/regions/', bodies))
  await ask(
    'DELETE',
    '/api/dcim/regions/',
    made.map(({ id }) => ({ id })),
  )
}

/** Follows the stream of events for a while, then disconnects. */
const follow: Round = async ({ server, signal }) => {
  await abandoned(server, '/api/core/events/?stream=true', signal, 500)
}

/** Disconnects before the response. */
const leave: Round = async ({ server, signal, round }) => {
  await abandoned(server, '/api/dcim/interfaces/?limit=1000&name__nic=zz', signal, round % 10)
}

async function abandoned(
  server: ServerProcess,
  path: string,
  signal: AbortSignal,
  milliseconds: number,
): Promise<void> {
  const leaving = AbortSignal.any([signal, AbortSignal.timeout(milliseconds)])
  const headers = { authorization: `Token ${SERVER_TOKEN}` }
  await fetch(server.url + path, { headers, signal: leaving })
    .then((response) => response.text())
    .catch(() => undefined)
}

/** The sixteen clients. */
const CLIENTS: readonly (readonly [string, Round])[] = [
  ...Array.from({ length: 6 }, () => ['lists', readLists] as const),
  ['pages', readPages],
  ['pages', readPages],
  ['graphql', queryGraphql],
  ['writes', write],
  ['writes', write],
  ['writes', write],
  ['bulk writes', writeMany],
  ['event streams', follow],
  ['event streams', follow],
  ['clients that leave', leave],
]

/** Sends requests until the signal; resolves when the last are answered. */
export async function runLoad(options: LoadOptions): Promise<LoadReport> {
  const report: LoadReport = { answered: new Map(), failures: [] }
  await Promise.all(CLIENTS.map(([kind, round], number) => runClient(options, report, { kind, round, number })))
  return report
}

async function runClient(
  options: LoadOptions,
  { answered, failures }: LoadReport,
  { kind, round, number }: { readonly kind: string; readonly round: Round; readonly number: number },
): Promise<void> {
  const { server, pause, signal } = options
  const ask: Client['ask'] = async (method, path, body) => {
    const response = await send(server, method, path, body)
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 200)}`)
    return text
  }
  for (let count = 0; !signal.aborted; count++) {
    await round({ ...options, ask, number, round: count }).catch((error: unknown) => {
      failures.push(`${kind}: ${error}`)
    })
    answered.set(kind, (answered.get(kind) ?? 0) + 1)
    await new Promise((resolve) => setTimeout(resolve, pause))
  }
}
