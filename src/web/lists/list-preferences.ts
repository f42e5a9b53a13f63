import { cachedPreferencesOf } from '../../api/actions/users/config.ts'
import type { ApiRequest } from '../../api/api-request.ts'
import { ApiError } from '../../base/errors.ts'
import { rowSecurityOf } from '../../identity/permitted-rows.ts'
import { hiddenFields } from '../../read/query/hidden-fields.ts'
import { lastValue } from '../../read/query/last-value.ts'
import { className } from '../../schema/class-name.ts'
import { isJsonObject, type Json, type JsonObject, stringsIn } from '../../schema/json.ts'
import type { Model } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { readList } from '../data/page-objects.ts'
import { usableViews, VIEW } from '../data/saved-views.ts'
import { defaultColumns, usableColumns } from './columns.ts'

/** A stored choice of columns or filters that the user may apply. */
export interface Stored {
  readonly id: number
  readonly name: string
  readonly slug?: string
}

/** A stored view of a list. */
interface StoredView extends Stored {
  /** Query of the list in this view. */
  readonly query: string
}

/** How the user wants to see a list. */
export interface ListPreferences {
  readonly columns: readonly string[]
  /** The columns that the user, a view or a table config has chosen; undefined for the default. */
  readonly chosenColumns: readonly string[] | undefined
  /** Order of a table config, if the URL does not specify one. */
  readonly ordering: string | undefined
  readonly pageSize: number
  /** Query for a list that is opened without one: that of the user's default filter. */
  readonly defaultQuery: string | undefined
  readonly savedFilters: readonly Stored[]
  /** Names of the saved filters by id and by slug. */
  readonly savedNames: ReadonlyMap<string, string>
  readonly tableConfigs: readonly Stored[]
  readonly views: readonly StoredView[]
  readonly exportTemplates: readonly Stored[]
}

/** Name of a model's list in preferences and table configs, as in the reference: `DeviceTable`. */
export const listTableName = (model: Model): string => `${className(model)}Table`

/** The default columns without computed fields that are hidden from the user. */
function visibleColumns({ service, actor }: ApiRequest, model: Model): readonly string[] {
  const hidden = hiddenFields(model, rowSecurityOf(actor, service.registry, service.settings))
  const columns = defaultColumns(service.registry, model)
  return hidden ? columns.filter((name) => !hidden.has(name)) : columns
}

/** The user's preferences for the list, with the table config or the view that the address names. */
export async function listPreferences(request: ApiRequest, model: Model): Promise<ListPreferences> {
  const { service, actor } = request
  const [preferences, filters, configs, allViews, templates] = await Promise.all([
    actor.kind === 'user' ? cachedPreferencesOf(service, actor.id) : {},
    readUsable(request, SYSTEM.savedFilter, { object_type: model.name }, ['slug']),
    readUsable(request, SYSTEM.tableConfig, { table: listTableName(model) }, ['columns', 'ordering']),
    usableViews(request),
    readUsable(request, SYSTEM.exportTemplate, { object_type: model.name }, []),
  ])
  const chosen = lastValue(request.search, 'tableconfig_id')
  const config = configs.find(({ id }) => String(id) === chosen)
  const views = allViews.filter(({ type }) => type === model.name)
  const viewId = lastValue(request.search, VIEW)
  const view = views.find(({ id }) => String(id) === viewId)
  const ownColumns = at(preferences, 'tables', listTableName(model), 'columns')
  const columns = usableColumns(service.registry, model, stringsIn(config?.columns ?? view?.columns ?? ownColumns))
  const size = Number(at(preferences, 'pagination', 'per_page'))
  const defaultFilter = at(preferences, 'default_filters', model.name)
  const usedDefault = filters.find(({ id }) => id === defaultFilter)
  return {
    chosenColumns: columns.length > 0 ? columns : undefined,
    columns: columns.length > 0 ? columns : visibleColumns(request, model),
    ordering: stringsIn(config?.ordering).join(',') || undefined,
    pageSize: Number.isInteger(size) && size > 0 ? size : service.settings.paginateCount,
    defaultQuery: usedDefault && `?filter_id=${Number(usedDefault.id)}`,
    savedFilters: filters.map(storedOf),
    savedNames: new Map(
      filters.flatMap((object) => {
        const { id, name, slug = '' } = storedOf(object)
        return [
          [String(id), name],
          [slug, name],
        ] as const
      }),
    ),
    tableConfigs: configs.map(storedOf),
    views,
    exportTemplates: templates.map(storedOf),
  }
}

/**
 * Usable objects of the model, for users who may view it: enabled ones that are shared, or the sender's own. Users
 * other than superusers see no others anyway, and may be unable to filter by a user.
 */
async function readUsable(
  request: ApiRequest,
  name: string,
  filters: Readonly<Record<string, string>>,
  fields: readonly string[],
): Promise<readonly JsonObject[]> {
  const { actor } = request
  const only = actor.kind === 'user' && actor.isSuperuser ? { usable: 'true' } : { enabled: 'true' }
  const query = new URLSearchParams({ ...filters, ...only, limit: '100' })
  const paths = ['id', 'name', ...fields]
  try {
    return (await readList(request, request.service.registry.model(name), { query, paths })).objects
  } catch (error) {
    if (error instanceof ApiError) return []
    throw error
  }
}

const storedOf = ({ id, name, slug }: JsonObject): Stored => ({
  id: Number(id),
  name: String(name),
  ...(slug !== undefined && { slug: String(slug) }),
})

/** The value at the path of keys. */
function at(document: JsonObject, ...path: readonly string[]): Json | undefined {
  let value: Json | undefined = document
  for (const key of path) value = isJsonObject(value) ? value[key] : undefined
  return value
}
