import { type Access, ask } from '../client.ts'
import type { PageFixtures } from '../page-fixtures.ts'
import type { Measurement } from '../result.ts'
import type { PageShape } from '../shapes/page-shape.ts'
import { type RepeatedRequests, sendRepeatedly } from './repeated-requests.ts'
import { summarise } from './summary.ts'
import { cpuBetween, cpuTimes, type Watched } from './usage.ts'

/** Objects whose pages are read in turn. */
const OBJECTS = 500
/** Requests of a page that takes too long for as many in the given time. */
const FEWEST = 20
const HTML = 'text/html'

/**
 * Pages for people over one connection, each request for another object or another part of the list. Undefined where the data
 * set lacks the objects. Throws for a status other than 2xx.
 */
export async function measurePages(
  access: Access,
  watched: Watched,
  shape: PageShape,
  { seconds, fixtures }: { readonly seconds: number; readonly fixtures: PageFixtures | undefined },
): Promise<Measurement | undefined> {
  const { name, collection, filters, isOfFixtures, paths } = shape
  if (isOfFixtures && !fixtures) return undefined
  const query = [filters, isOfFixtures && fixtures && `site_id=${fixtures.site}`]
  const { ids, count } = await objectsOf(access, collection, query.filter(Boolean).join('&'))
  const pages = paths(ids, count)
  if (count === 0 || pages.length === 0) return undefined
  let turn = 0
  const next = () => ({ path: pages[turn++ % pages.length] ?? '/' })
  const send = (length: RepeatedRequests['length']) =>
    sendRepeatedly(access, { method: 'GET', accept: HTML, connections: 1, next, length })
  const { times } = await send({ duration: seconds })
  const before = cpuTimes(watched)
  const sent = await send(times.length < FEWEST ? { amount: FEWEST } : { duration: seconds })
  const cpu = cpuBetween(before, cpuTimes(watched))
  return summarise({ name, connections: 1, varied: true, ...sent, bytes: 0, cpu })
}

/** Ids from the middle of a collection, and the number of its objects. */
async function objectsOf(
  access: Access,
  collection: string,
  filters: string,
): Promise<{ readonly ids: readonly number[]; readonly count: number }> {
  // A list of this API.
  const read = async (query: string) =>
    (await ask(access, 'GET', `/api/${collection}/?brief=1&${query}&${filters}`)) as {
      readonly count: number
      readonly results: readonly { readonly id: number }[]
    }
  const { count } = await read('limit=1')
  const offset = Math.max(0, Math.floor(count / 2) - OBJECTS / 2)
  const { results } = await read(`limit=${OBJECTS}&offset=${offset}`)
  return { ids: results.map(({ id }) => id), count }
}
