import { scheduleSync } from '../automation/data-sources/schedule.ts'
import { type Clock, systemClock } from '../base/clock.ts'
import { ConfigurationError } from '../base/errors.ts'
import { applyActiveRevision, checkRules } from '../changes/configuration-revisions.ts'
import { makeDataDirectory, uploadProblem } from '../config/data-directory.ts'
import { loadSecrets, type Secrets } from '../config/secrets.ts'
import type { Settings } from '../config/settings.ts'
import { type Database, NO_OTHER_PROCESSES, type OtherProcesses } from '../db/database.ts'
import { type Migration, migrate } from '../db/migrate/migrate.ts'
import { requireCurrentTables } from '../db/migrate/standby.ts'
import { openDatabase } from '../db/open.ts'
import { unfitConstraints } from '../identity/unfit-constraints.ts'
import { createVault, type TokenVault } from '../identity/vault.ts'
import type { ModelSettings } from '../models/configured-models.ts'
import { dataSourceBehaviour } from '../models/core/data-source.rules.ts'
import { packBehaviour } from '../models/core/pack.ts'
import { sealStoredParameters } from '../models/core/secret-parameters.ts'
import { computedFieldBehaviour } from '../models/extras/computed-field.ts'
import { webhookBehaviour } from '../models/extras/webhook.ts'
import { groupMappingBehaviour } from '../models/users/group-mapping.ts'
import { passwordProblems } from '../models/users/password.rules.ts'
import { permissionBehaviour } from '../models/users/permission.ts'
import { secretBehaviours } from '../models/users/secret-behaviours.ts'
import { buildSearchIndex } from '../read/search/build-index.ts'
import { type Audit, unaudited } from '../schema/audit.ts'
import { isOfPack } from '../schema/custom-models.ts'
import type { Registry } from '../schema/registry.ts'
import { SYSTEM } from '../schema/system-models.ts'
import { createService, type Service } from '../service.ts'
import type { Queryable } from '../sql/queryable.ts'
import { registerValidators } from '../write/validate/validators.ts'
import { definedIn, Generations } from './generations.ts'
import { type Application, applicationOf, checkExpression, registryOf } from './plugins/application.ts'
import { isPackFolder, loadCatalogue } from './plugins/catalogue.ts'
import { loadPlugins } from './plugins/load.ts'
import { storePacks } from './plugins/store-packs.ts'

/** Everything except the server, for use by commands. */
export interface Core {
  /** The service as it was opened; `generations` has the one with the latest custom models. */
  readonly service: Service
  readonly application: Application
  readonly generations: Generations
  readonly vault: TokenVault
  readonly migration: Migration
  readonly audit: Audit
  close(): Promise<void>
}

/**
 * Opens the database and brings its tables up to date. Throws ConfigurationError with one sentence if the configuration
 * prevents it.
 */
export async function openCore(
  settings: Settings,
  warn: (sentence: string) => void,
  environment: Partial<Pick<Environment, 'audit' | 'otherProcesses' | 'migrateWhileServed'>> = {},
): Promise<Core> {
  prepareDataDirectory(settings, warn)
  const secrets = loadSecrets(settings, warn)
  const database = await openDatabase(settings, { warn })
  try {
    const core = await coreOver(database, settings, secrets, { ...environment, warn })
    for (const [name, reason] of core.application.unusable) warn(`The pack ${name} has been switched off: ${reason}.`)
    for (const { name, tables } of core.migration.absent) {
      if (!isOfPack(name)) warn(absentText(name, tables))
    }
    return core
  } catch (error) {
    await database.close()
    throw error
  }
}

const absentText = (plugin: string, tables: readonly string[]): string =>
  `The plugin ${plugin} is not loaded. Its tables are kept: ${tables.join(', ')}. Add it to PLUGINS to use it again.`

/** With a database server, only uploaded files need the directory, so the service can run without it. */
function prepareDataDirectory(settings: Settings, warn: (sentence: string) => void): void {
  if (settings.databaseUrl === undefined) makeDataDirectory(settings.dataDir)
  const problem = uploadProblem(settings)
  if (problem !== undefined) warn(problem)
}

/** Services that are built on a core. */
export interface Environment {
  readonly audit: Audit
  readonly otherProcesses: OtherProcesses
  readonly clock: Clock
  /** Receives a sentence about values of the configuration that cannot be used. */
  readonly warn: (sentence: string) => void
  /** Change the tables even if running processes of an earlier version cannot work with them afterwards. */
  readonly migrateWhileServed: boolean
}

/** As `openCore`, but over an open database, which the core then closes. */
export async function coreOver(
  opened: Database,
  settings: Settings,
  secrets: Secrets,
  {
    audit = unaudited,
    otherProcesses = NO_OTHER_PROCESSES,
    clock = systemClock,
    warn = () => undefined,
    migrateWhileServed = false,
  }: Partial<Environment> = {},
): Promise<Core> {
  const vault = createVault(secrets, settings.allowTokenRetrieval)
  const identity = {}
  const registryFor = (program: Application): Registry => {
    const registry: Registry = registryOf(
      program,
      [
        ...secretBehaviours(vault, audit),
        groupMappingBehaviour(audit),
        webhookBehaviour(async (templates) => {
          const { syntaxErrors } = await import('../automation/templates/render.ts')
          return await syntaxErrors({ registry, settings }, templates)
        }),
        dataSourceBehaviour(vault, scheduleSync({ clock, settings })),
        computedFieldBehaviour(checkExpression(() => registry)),
        packBehaviour(() => settings.packs),
        permissionBehaviour((queryable, ...permission) => unfitConstraints(queryable, registry, ...permission), audit),
      ],
      identity,
    )
    registerValidators(registry, async (...write) => {
      const { pythonRefusals } = await import('../automation/scripts/validators.ts')
      return await pythonRefusals(...write)
    })
    return registry
  }
  const plain = await loadApplication(settings)
  const { application, registry } = await definedIn(opened, plain, registryFor)
  checkRules(registry, settings)
  const isStandby = isReadOnly(opened)
  const migration = isStandby
    ? await requireCurrentTables(opened, registry, application.steps)
    : await migrate(opened, registry, application.steps, { whileServed: migrateWhileServed })
  if (!isStandby) await indexForSearch(opened, registry, warn)
  const service = createService(registry, opened, settings, {
    otherProcesses,
    clock,
    absentRelations: migration.absent.flatMap(({ relations }) => relations),
  })
  const generations = new Generations({ service, application }, { registryFor, warn })
  const { database, cache } = service
  await database.subscribe(cache.log)
  const revisionsApplied = await followRevisions(service, warn)
  if (!isStandby) await storePacks(service, application)
  // Earlier versions stored the credentials of data sources in plain text, and so do their backups.
  if (!isStandby && !migration.isNew) {
    await database.transaction((transaction) => sealStoredParameters(transaction, vault))
  }
  const close = async () => {
    await revisionsApplied()
    await generations.close()
    const { closeValidators } = await import('../automation/scripts/validators.ts')
    closeValidators(generations.current.service.registry)
    await database.close()
  }
  return { service: generations.current.service, application, generations, vault, migration, audit, close }
}

/** Whether the server accepts no writes: a standby. */
export const isReadOnly = ({ writeProblem }: Database): boolean => writeProblem()?.kind === 'readOnly'

async function indexForSearch(database: Database, registry: Registry, warn: (sentence: string) => void): Promise<void> {
  const indexed = await buildSearchIndex(database, registry)
  if (indexed.length > 0) warn(`The search index of ${indexed.length} object types has been built.`)
}

/**
 * Applies the active revision of the configuration, now and whenever this or another process stores one. Returns a
 * function that waits until the changes so far are applied.
 */
async function followRevisions(service: Service, warn: (sentence: string) => void): Promise<() => Promise<void>> {
  await applyActiveRevision(service, warn)
  let applied = Promise.resolve()
  let isClosing = false
  service.cache.log.watch([SYSTEM.configRevision], () => {
    applied = applied
      // A command closes the database as soon as it has stored a revision.
      .then(() => (isClosing ? undefined : applyActiveRevision(service, warn)))
      .catch((error: unknown) => warn(`The revision of the configuration cannot be read: ${error}`))
  })
  return () => {
    isClosing = true
    return applied
  }
}

/** The program with the plugins and packs that the settings name. Throws ConfigurationError for one that cannot be used. */
export const loadApplication = async (
  settings: Pick<Settings, 'plugins' | 'packs' | keyof ModelSettings>,
): Promise<Application> => {
  const catalogue = await loadCatalogue(settings.plugins.filter(isPackFolder))
  const unknown = settings.packs.find((name) => !catalogue.has(name))
  if (unknown !== undefined) {
    throw new ConfigurationError(`PACKS: there is no pack ${unknown}. There are: ${[...catalogue.keys()].join(', ')}.`)
  }
  const plugins = await loadPlugins(settings.plugins.filter((path) => !isPackFolder(path)))
  return applicationOf(plugins, settings, { catalogue, alwaysOn: settings.packs })
}

/** All models, for code that needs no running service. */
export const modelRegistry = (application: Application = applicationOf([])): Registry => registryOf(application)

/** Violations of the password rules by the password of a superuser with that name; empty if there are none. */
export const superuserPasswordProblems = (
  password: string,
  username: string,
  { authPasswordValidators }: Settings,
): Promise<readonly string[]> =>
  passwordProblems(password, { username, first_name: '', last_name: '', email: '' }, authPasswordValidators)

/** All models, including custom models in the database. */
export const registryIn = async (
  queryable: Queryable,
  application: Application = applicationOf([]),
): Promise<Registry> => (await definedIn(queryable, application, registryOf)).registry
