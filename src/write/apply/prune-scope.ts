import { invalid, type Messages } from '../../base/errors.ts'
import { T } from '../../read/query/alias.ts'
import { compileFilter } from '../../read/query/compile-filter.ts'
import type { Filter } from '../../read/query/filter.ts'
import { parametersOf } from '../../read/query/parameters.ts'
import { parseFilters } from '../../read/query/parse-filters.ts'
import { RefusedValue } from '../../read/query/refused-value.ts'
import { RelatedValues } from '../../read/query/related-values.ts'
import { selectIds } from '../../read/query/slice.ts'
import { isJsonObject } from '../../schema/json.ts'
import type { Model, Registry } from '../../schema/registry.ts'
import { join } from '../../sql/fragment.ts'
import type { WriteContext } from '../context.ts'

/** The objects that a document may delete: for each of these models, those that match all filters. */
export type PruneScope = ReadonlyMap<Model, readonly Filter[]>

const EXAMPLE = 'State a scope, such as site=ams or tag=core.'

/**
 * The scope in `prune` of a document, as filters of lists: `site=ams`, or an object with their values. It consists of
 * the models of the document that have all of these filters. Throws `invalid` for a scope that limits nothing.
 */
export function pruneScopeOf(registry: Registry, models: readonly Model[], stated: unknown): PruneScope | undefined {
  if (stated === undefined || stated === null || stated === false) return undefined
  const search = searchOf(stated)
  const names = [...search.keys()]
  const isLimiting = names.length > 0 && [...search.values()].every((value) => value.trim() !== '')
  if (!isLimiting) throw invalid({ prune: [EXAMPLE] })
  const limited = models.filter((model) => {
    const parameters = parametersOf(registry, model)
    return names.every((name) => parameters.has(name))
  })
  if (limited.length === 0) {
    const list = [...new Set(names)].join(', ')
    throw invalid({ prune: [`No object type of the document can be filtered by ${list}.`] })
  }
  return new Map(limited.map((model) => [model, filtersOf(registry, model, search)]))
}

function searchOf(stated: unknown): URLSearchParams {
  if (typeof stated === 'string') return new URLSearchParams(stated)
  if (!isJsonObject(stated)) throw invalid({ prune: [EXAMPLE] })
  const search = new URLSearchParams()
  for (const [name, values] of Object.entries(stated)) {
    for (const value of [values].flat()) {
      if (value === null || typeof value === 'object') {
        throw invalid({
          prune: { [name]: ['Expected a value of the filter, or a list of values.'] },
        })
      }
      search.append(name, String(value))
    }
  }
  return search
}

function filtersOf(registry: Registry, model: Model, search: URLSearchParams): readonly Filter[] {
  const { filters, refused } = parseFilters(registry, model, search)
  const messages: Record<string, Messages> = { ...refused }
  for (const name of new Set(search.keys())) {
    // In a list, such values are ignored, so that all objects are listed.
    if (!filters.has(name)) messages[name] ??= ['This value does not limit anything.']
  }
  if (Object.keys(messages).length > 0) throw invalid({ prune: messages })
  return [...filters.values()]
}

/**
 * Ids of the model's objects in the scope that the user may view. Throws RefusedValue if the scope names an object that
 * does not exist.
 */
export async function idsInScope(
  { service, transaction, security, actor }: WriteContext,
  scope: PruneScope,
  model: Model,
): Promise<readonly number[]> {
  const filters = scope.get(model)
  if (!filters) return []
  const { visibleRows } = security
  const { registry } = service
  const related = new RelatedValues(transaction, { registry, visibleRows })
  const filtered = { registry, model, alias: T, related, database: transaction, visibleRows }
  const predicates = await Promise.all(filters.map((filter) => compileFilter(filter, { ...filtered, user: actor.id })))
  return await selectIds(transaction, model, { where: join(predicates, ' and '), security })
}

/** As `idsInScope`, none if the scope names an object that does not exist yet. */
export async function idsInScopeSoFar(
  context: WriteContext,
  scope: PruneScope,
  model: Model,
): Promise<readonly number[]> {
  try {
    return await idsInScope(context, scope, model)
  } catch (error) {
    if (error instanceof RefusedValue) return []
    throw error
  }
}
