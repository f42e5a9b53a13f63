import { closestMatch } from 'leven'
import type { ApiRequest } from '../../api/api-request.ts'
import { mayAct } from '../../identity/permitted-rows.ts'
import { type SourceColumn, targetOf } from '../../transfer/bulk-import/columns.ts'
import { readList } from '../data/page-objects.ts'

/** Objects that the cells of a column may name. */
export interface ColumnCandidates {
  readonly list: readonly string[]
}

/** The same by the heading of the column. */
export type Candidates = ReadonlyMap<string, ColumnCandidates>

/** Names of a model that are read. */
const MOST_NAMES = 300

/** The names from which the cells of these columns can be chosen, as far as the sender may view the objects. */
export async function readCandidates(
  request: ApiRequest,
  sources: readonly SourceColumn[],
  headers: ReadonlySet<string | undefined>,
): Promise<Candidates> {
  const { registry, settings } = request.service
  const columns = await Promise.all(
    sources.map(async ({ header, source, by }) => {
      const model = targetOf(registry, source)
      if (!headers.has(header) || by === undefined || !model?.fields.has(by)) return []
      if (!mayAct(request.actor, 'view', model, settings)) return []
      const query = new URLSearchParams({ limit: String(MOST_NAMES) })
      const { objects } = await readList(request, model, { query, paths: [by], count: null })
      const list = [...new Set(objects.map((object) => String(object[by] ?? '')))].filter((name) => name !== '')
      return [[header, { list }] as const]
    }),
  )
  return new Map(columns.flat())
}

/** The name that the text misspells or begins; undefined if none is close, or the name itself is one. */
export function closestCandidate({ list }: ColumnCandidates, text: string): string | undefined {
  const typed = text.trim().toLowerCase()
  if (typed.length < 2 || list.includes(text.trim())) return undefined
  const begun = list.filter((name) => name.toLowerCase().startsWith(typed))
  const maxDistance = Math.max(1, Math.floor(typed.length / 4))
  return begun[0] ?? closestMatch(text.trim(), list, { maxDistance })
}
