import { API_VERSIONS, type ApiVersion, LATEST } from '../base/api-version.ts'
import { activeRevision, changeConfiguration } from '../changes/configuration-revisions.ts'
import { withRevision } from '../config/dynamic-settings.ts'
import { searchedFields } from '../read/search/entries.ts'
import type { Model, Registry } from '../schema/registry.ts'
import { SYSTEM } from '../schema/system-models.ts'
import type { Service } from '../service.ts'
import { sql } from '../sql/fragment.ts'
import type { Queryable } from '../sql/queryable.ts'
import { table } from '../sql/table.ts'
import { findCollections } from './collections.ts'
import { readLines } from './read-lines.ts'

/** The API version of a NetBox release such as `4.6.8`: the newest that is not newer, or else the oldest. */
export function versionOfRelease(release: unknown): ApiVersion {
  const [major = 0, minor = 0] = String(release).split('.').map(Number)
  const isReached = (version: ApiVersion): boolean => {
    const [first = 0, second = 0] = version.split('.').map(Number)
    return major > first || (major === first && minor >= second)
  }
  return API_VERSIONS.findLast(isReached) ?? API_VERSIONS[0]
}

/** The oldest version of the API that has all collections and fields of the data set. */
export async function versionOfDataSet(registry: Registry, directory: string): Promise<ApiVersion> {
  const keys = new Map<string, readonly string[]>()
  for (const { endpoint, path, file } of findCollections(directory)) {
    // All objects of a collection have the same fields.
    for await (const { object } of readLines(path, file)) {
      keys.set(endpoint, Object.keys(object))
      break
    }
  }
  return API_VERSIONS.find((version) => !hasNewer(registry, version, keys)) ?? LATEST
}

/** Whether a collection or a field is known, but not in this version of the API. */
function hasNewer(
  registry: Registry,
  version: ApiVersion,
  collections: ReadonlyMap<string, readonly string[]>,
): boolean {
  const { models } = registry.inVersion(version)
  return [...registry.models.values()].some((model) => {
    const keys = collections.get(model.path)
    const earlier = models.get(model.name)
    if (!keys || !earlier) return false
    return earlier.path !== model.path || keys.some((key) => isShown(model, key) && !isShown(earlier, key))
  })
}

function isShown({ fields }: Model, name: string): boolean {
  const field = fields.get(name)
  return field !== undefined && !('hidden' in field && field.hidden === true)
}

/** Whether the database has no objects of the inventory, and none from an import. */
export async function holdsNothing({ registry }: Pick<Service, 'registry'>, queryable: Queryable): Promise<boolean> {
  const searched = [...searchedFields(registry).keys()].map(({ name }) => name)
  const [row] = await queryable.queryArrays(sql`
    select exists (select from ${table(SYSTEM.searchEntry)})
      or exists (select from ${table(SYSTEM.unindexedChange)} where object_type = any(${searched}::text[]))
      or exists (select from ${table(SYSTEM.importedObject)})`)
  return row?.[0] === false
}

const NAME = 'API_VERSION'

/** The version of an import: of its source, and as the user has chosen it. */
interface ImportedVersion {
  readonly source: ApiVersion
  readonly chosen: ApiVersion | undefined
  /** The database had no objects before. */
  readonly isNew: boolean
}

/** The version that requests get if they name none, and why it is not the wanted one. */
export interface ServedVersion {
  readonly version: ApiVersion
  readonly kept?: 'environment' | 'revision' | 'in use'
}

/**
 * Makes the version of the source the one for requests that name none, so that the tools of the source work unchanged;
 * or the version that the user has chosen. The environment has precedence, and a database that was in use, or for which
 * a version has been set, keeps it unless the user has chosen one.
 */
export async function adoptVersion(
  service: Service,
  { source, chosen, isNew }: ImportedVersion,
): Promise<ServedVersion> {
  const { startSettings, database } = service
  const revision = await activeRevision(database)
  const version = withRevision(startSettings, revision).settings.apiVersion
  const target = chosen ?? source
  if (version === target) return { version }
  if (startSettings.given.has(NAME)) return { version, kept: 'environment' }
  if (chosen === undefined && NAME in revision) return { version, kept: 'revision' }
  if (chosen === undefined && !isNew) return { version, kept: 'in use' }
  await changeConfiguration(service, { [NAME]: target }, 'Version of the imported data')
  return { version: target }
}
