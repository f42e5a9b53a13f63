import { type Access, ask } from './client.ts'
import type { ServerUnderTest } from './servers/server-under-test.ts'

const INTERFACES = '/api/dcim/interfaces/'
const DEVICES = '/api/dcim/devices/'
/** Objects that are changed by one request. */
const BATCH = 1_000

/** Objects whose past versions are made, from the begin of the list and from its middle. */
const CHANGED: readonly (readonly [collection: string, batches: number])[] = [
  [DEVICES, 4],
  [INTERFACES, 40],
]

/**
 * A time as of which the service can be read; undefined where it has no history. On a server of our own tens of thousands of
 * interfaces and thousands of devices change after it, so that pages of then consist of past and present versions.
 */
export async function timeInThePast(
  { access, own }: ServerUnderTest,
  { readOnly, progress }: { readonly readOnly: boolean; readonly progress: (text: string) => void },
): Promise<string | undefined> {
  if (!(await hasHistory(access))) {
    progress('as of: skipped, the server has no history')
    return undefined
  }
  const time = new Date().toISOString()
  if (!own || readOnly) return time
  for (const [collection, batches] of CHANGED) {
    for (let batch = 0; batch < batches; batch++) await change(access, collection, batch, batches)
  }
  await own.vacuum()
  return time
}

/** Changes one part of the first or the second half of a collection. */
async function change(access: Access, collection: string, batch: number, batches: number) {
  const list = `${collection}?brief=1&fields=id`
  const { count } = await page(access, `${list}&limit=1`)
  const half = batch % 2 === 0 ? 0 : Math.floor(count / 2)
  const room = Math.floor(count / 2 / (batches / 2))
  const offset = half + Math.floor(batch / 2) * Math.min(room, BATCH)
  const { results } = await page(access, `${list}&limit=${Math.min(room, BATCH)}&offset=${offset}`)
  const body = results.map(({ id }) => ({ id, description: `changed ${batch}` }))
  if (body.length > 0) await ask(access, 'PATCH', collection, body)
}

interface Page {
  readonly count: number
  readonly results: readonly { readonly id: number }[]
}

const page = async (access: Access, path: string): Promise<Page> =>
  (await ask(access, 'GET', path)) as Page // the same on every server of this API

/** Other servers of this API ignore the parameter, whatever its value. */
const hasHistory = (access: Access): Promise<boolean> =>
  ask(access, 'GET', `${DEVICES}?limit=1&as_of=nonsense`).then(
    () => false,
    () => true,
  )
