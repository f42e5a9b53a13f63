import type { ApiVersion } from './base/api-version.ts'
import { type Clock, systemClock } from './base/clock.ts'
import type { Settings } from './config/settings.ts'
import { Cache, CachePart } from './db/cache/cache.ts'
import { ChangeLog } from './db/cache/change-log.ts'
import { reportingChanges } from './db/change-reports.ts'
import { type Database, NO_OTHER_PROCESSES, type OtherProcesses, type Transaction } from './db/database.ts'
import { withReplicaReads } from './db/replica-reads.ts'
import { recordTimestamp } from './db/versions/number.ts'
import { versionedModels } from './db/versions/versioned-tables.ts'
import { CUSTOM_MODELS_APP } from './schema/custom-models.ts'
import type { AbsentRelation } from './schema/generic-keys.ts'
import { oncePer } from './schema/once-per.ts'
import type { Registry } from './schema/registry.ts'

/** The objects that every request works with; created once at startup. */
export interface Service {
  readonly registry: Registry
  readonly database: Database
  readonly cache: Cache
  /** The configuration now: a revision may change some of it while the service runs. */
  readonly settings: Settings
  /** Returns `settings`, without keeping this service and its models in memory. */
  readonly currentSettings: () => Settings
  /** The configuration of the environment. */
  readonly startSettings: Settings
  readonly clock: Clock
  /** Generic relations in tables of plugins that are not loaded: their targets cannot be deleted. */
  readonly absentRelations?: readonly AbsentRelation[] | undefined
  /** True for a service that reads the past (read/as-of/past-service.ts). */
  readonly isPast?: true
  /** The branch that this service reads and writes; undefined for main. */
  readonly branch?: { readonly id: number; readonly name: string; readonly schemaId: string } | undefined
  /** In the service of a branch: the service of main. */
  readonly main?: Service
  /** In a service for an earlier API version: the model in the form of that version. */
  readonly latest?: Service
  /**
   * Brings the tables in line with the custom models that the transaction has changed, and returns the service
   * with their models. Absent if only the program's own models can be used.
   */
  define?: (transaction: Transaction) => Promise<Service>
  /** The service with all models that have been defined so far. Absent as `define` is. */
  redefined?: () => Promise<Service>
  /** Replaces the settings. */
  reconfigure(settings: Settings): void
}

/** The service with the models in the form of the API version, for reads. It has its own cached values. */
export const serviceIn = (service: Service, version: ApiVersion): Service =>
  version === service.registry.version ? service : servicesOf(service)(version)

const servicesOf = oncePer((service: Service) => {
  const services = new Map<ApiVersion, Service>()
  return (version: ApiVersion): Service => {
    const made = services.get(version) ?? {
      ...service,
      latest: service,
      registry: service.registry.inVersion(version),
      cache: new CachePart(service.cache, `API ${version} `),
      get settings() {
        return service.settings
      },
    }
    services.set(version, made)
    return made
  }
})

/** The service of main, which owns jobs and everything else that branches share. */
export const mainOf = (service: Service): Service => service.main ?? service

/**
 * The path, below the base path, of a request to be sent later, in the branch with this `schema_id`: by then, another
 * branch may have its name.
 */
export const pathInBranch = (schemaId: string | undefined, path: string): string =>
  schemaId === undefined ? path : `${path}${path.includes('?') ? '&' : '?'}branch=${encodeURIComponent(schemaId)}`

/** State of this process, created on first use; it stays when the models change. */
export function stateOfService<T>(make: () => T): (service: Pick<Service, 'registry'>) => T {
  const stateOf = oncePer((_identity: object) => make())
  return ({ registry }) => stateOf(registry.identity)
}

const latestOf = stateOfService((): { service?: Service } => ({}))

/** The service with the latest custom models, for work that outlives a request. */
export const currentService = (service: Service): Service => latestOf(service).service ?? service

/** Makes this service the current one of its process. */
export function becomeCurrent(service: Service): void {
  latestOf(service).service = service
}

/**
 * The service with changed models, and with other plugins that are not loaded. It refers to nothing of the earlier one that knows the models: neither what that has
 * cached for them, nor its `define`, nor the service itself, which would keep all generations of models in memory.
 */
export function withRegistry(
  service: Service,
  registry: Registry,
  absentRelations: readonly AbsentRelation[] | undefined,
): Service {
  const { define: _ofEarlierModels, redefined: _alsoOfThem, ...parts } = service
  const { currentSettings } = parts
  return {
    ...parts,
    registry,
    absentRelations,
    cache: new Cache(service.cache.log, service.settings.cacheSize),
    get settings() {
      return currentSettings()
    },
  }
}

/** Types that are defined later have a history too. */
const isCustomModel = (model: string): boolean => model.startsWith(`${CUSTOM_MODELS_APP}.`)

interface ServiceParts {
  readonly otherProcesses?: OtherProcesses
  readonly clock?: Clock
  readonly absentRelations?: readonly AbsentRelation[] | undefined
}

/**
 * The service over a database. Its own changes and those of `otherProcesses` invalidate its cache; to receive the
 * latter, its log must subscribe to the database.
 */
export function createService(
  registry: Registry,
  opened: Database,
  settings: Settings,
  { otherProcesses = NO_OTHER_PROCESSES, clock = systemClock, absentRelations }: ServiceParts = {},
): Service {
  const log = new ChangeLog()
  otherProcesses.subscribe(log)
  const versioned = versionedModels(registry)
  const database = reportingChanges(withReplicaReads(opened, log), log, otherProcesses, (changes) =>
    changes.some(({ model }) => versioned.has(model) || isCustomModel(model)) ? recordTimestamp : undefined,
  )
  let current = settings
  const currentSettings = () => current
  return {
    registry,
    database,
    cache: new Cache(log, settings.cacheSize),
    get settings() {
      return current
    },
    currentSettings,
    startSettings: settings,
    clock,
    absentRelations,
    reconfigure: (changed) => {
      current = changed
    },
  }
}
