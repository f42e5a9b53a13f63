import { compare, literal } from './compare.ts'
import type { Difference } from './difference.ts'
import { type Client, jsonOf } from './http-client.ts'
import { isList, isObject, type Json, short } from './json.ts'
import { differencesOf, placeOf } from './mismatch-cause.ts'
import type { Outcome } from './outcome.ts'
import { readCollection } from './recordings.ts'
import { compareStatus, unanswered } from './status.ts'

/** Fields excluded from the comparison: of one resource, or of all under `*`. */
export type LeftOut = ReadonlyMap<string, readonly string[]>

/**
 * Parses texts such as `dcim/interfaces:link_peers,cable`: a field belongs to the last resource before it, and
 * without one to every resource. A field may be a path: `site.description`.
 */
export function parseLeftOut(texts: readonly string[]): LeftOut {
  const left = new Map<string, string[]>()
  for (const text of texts) {
    let resource = '*'
    for (const item of text.split(',')) {
      const [first, second] = item.trim().split(':', 2)
      if (second !== undefined) resource = first ?? '*'
      left.set(resource, [...(left.get(resource) ?? []), second ?? first ?? ''])
    }
  }
  return left
}

/**
 * Reads a whole collection from the server and compares it with the data set: one outcome for the count, and one
 * for each object of the data set.
 */
export async function checkCollection(
  directory: string,
  resource: string,
  client: Client,
  leftOut: LeftOut,
): Promise<Outcome[]> {
  const expected = readCollection(directory, resource)
  const read = await readAll(resource, client)
  const outcome = (kind: string, id: string, differences: readonly Difference[]): Outcome => ({
    part: 'dataset',
    id: `${resource} ${id}`,
    resource,
    kind,
    context: `dataset ${resource}`,
    differences,
  })
  if ('cause' in read) {
    return [outcome('count', 'count', [read]), ...expected.map(({ id }) => outcome('object', String(id), [read]))]
  }
  const fields = [...(leftOut.get('*') ?? []), ...(leftOut.get(resource) ?? [])]
  return [
    outcome(
      'count',
      'count',
      compareCount(
        expected.map(({ id }) => id),
        read,
      ),
    ),
    ...expected.map((object) => outcome('object', String(object.id), compareObject(object, read.objects, fields))),
  ]
}

interface Collection {
  readonly count: number
  readonly objects: ReadonlyMap<number, Json>
}

async function readAll(resource: string, client: Client): Promise<Collection | Difference> {
  const objects = new Map<number, Json>()
  let count = 0
  try {
    // Pages of the largest size that servers allow by default; a page without new objects ends the loop.
    for (let offset = 0; ; offset = objects.size) {
      const path = `/api/${resource}/?limit=1000&offset=${offset}`
      const answer = await client.send({ method: 'GET', path })
      const status = compareStatus(200, answer)
      if (status) return status
      const body = jsonOf(answer, (text) => text.replaceAll(client.base, '{base}'))
      if (!isObject(body) || !isList(body.results) || typeof body.count !== 'number') {
        return { cause: 'the answer is not a list with count and results', actual: short(body) }
      }
      count = body.count
      for (const object of body.results) {
        if (isObject(object) && typeof object.id === 'number') objects.set(object.id, object)
      }
      if (objects.size === offset || objects.size >= count) return { count, objects }
    }
  } catch (error) {
    return unanswered(error)
  }
}

function compareCount(ids: readonly number[], read: Collection): Difference[] {
  if (read.count === ids.length) return []
  const known = new Set(ids)
  const extra = [...read.objects.keys()].filter((id) => !known.has(id))
  return [
    {
      cause: `count ${read.count} instead of ${ids.length}`,
      expected: String(ids.length),
      actual: `${read.count}${extra.length > 0 ? `, too many: ${short(extra)}` : ''}`,
    },
  ]
}

function compareObject(
  expected: { readonly id: number },
  objects: ReadonlyMap<number, Json>,
  leftOut: readonly string[],
): Difference[] {
  const actual = objects.get(expected.id)
  if (actual === undefined) return [{ cause: 'the object is missing' }]
  const mismatches = compare({ ...expected }, actual, literal)
  return differencesOf(
    mismatches.filter((mismatch) => {
      const place = placeOf(mismatch).replaceAll('.*', '')
      return !leftOut.some((field) => place === field || place.startsWith(`${field}.`))
    }),
  )
}
