import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import { prepareQueries } from '../api/endpoints/graphql.ts'
import type { Stopping } from '../api/endpoints/health.ts'
import { createMetrics } from '../api/endpoints/metrics.ts'
import { documentTexts } from '../api/endpoints/schema.ts'
import type { OpenApiTexts } from '../api/openapi/texts.ts'
import { userOfPerson } from '../api/sessions/external-user.ts'
import { idleTimeOf } from '../api/transport/idle-time.ts'
import { scheduleAll } from '../automation/data-sources/schedule.ts'
import { dataSourceJob } from '../automation/data-sources/synchronise.ts'
import { dateRuleWork } from '../automation/event-rules/date-rules.ts'
import { ruleEngine } from '../automation/event-rules/rule-engine.ts'
import { housekeepingJob } from '../automation/jobs/housekeeping.ts'
import type { InProcessRequest, InProcessResponse } from '../automation/jobs/in-process-request.ts'
import { PRUNERS } from '../automation/jobs/pruners.ts'
import { searchIndexing } from '../automation/jobs/search-indexing.ts'
import { jobWork } from '../automation/jobs/work.ts'
import { emailJob, enqueueEmail } from '../automation/mail/email-job.ts'
import { ruleWork } from '../automation/rules/rule-work.ts'
import { enqueueScript } from '../automation/scripts/enqueue-script.ts'
import { closeScripts, retireScripts } from '../automation/scripts/python-process.ts'
import { scriptJob } from '../automation/scripts/script-job.ts'
import { followDirectory } from '../automation/scripts/sync-directory.ts'
import { retireValidators } from '../automation/scripts/validators.ts'
import { closeTemplates, retireTemplates } from '../automation/templates/render.ts'
import { deliveryWorker } from '../automation/webhooks/delivery-worker.ts'
import { completedDeliveries } from '../automation/webhooks/prune-deliveries.ts'
import { type Background, type BackgroundWork, createBackground } from '../changes/background/background.ts'
import { sequencer } from '../changes/stream/sequencer.ts'
import type { Settings } from '../config/settings.ts'
import type { Authentication } from '../identity/authenticate.ts'
import { LastUse } from '../identity/last-use.ts'
import { createProviders } from '../identity/providers.ts'
import { ensureSuperuser, type SuperuserReport } from '../identity/superuser.ts'
import type { Registry } from '../schema/registry.ts'
import type { Service } from '../service.ts'
import { scheduledBackups } from '../transfer/backup/scheduled-backup.ts'
import { importJob } from '../transfer/import-job.ts'
import { type Core, isReadOnly, loadApplication, modelRegistry, superuserPasswordProblems } from './core.ts'
import type { Generations } from './generations.ts'
import { applicationActions, applicationEndpoints } from './plugins/application-actions.ts'
import { packJobKinds, packJobSchedules } from './plugins/pack-jobs.ts'
import { applicationPages, type PagesOfPacks, pagesOfPacks } from './plugins/pack-pages.ts'
import { respondInProcess } from './server/in-process.ts'
import { requestJob } from './server/request-job.ts'
import { routesOf } from './server/route-table.ts'
import { createServer, type Served, type Serving } from './server/server.ts'

/** The OpenAPI document of the API under these settings; needs no database. */
export async function describeApi(settings: Settings): Promise<OpenApiTexts> {
  const application = await loadApplication(settings)
  const registry = modelRegistry(application).inVersion(settings.apiVersion)
  return documentTexts(registry, settings.basePath, applicationActions(application))
}

/** Scripts start test services with short passwords, so the environment's password is not refused. */
async function warnOfWeakPassword(
  { username, source }: NonNullable<SuperuserReport['made']>,
  settings: Settings,
  logger: Logger,
): Promise<void> {
  if (source !== 'environment' || settings.superuserPassword === undefined) return
  const problems = await superuserPasswordProblems(settings.superuserPassword, username, settings)
  if (problems.length > 0) {
    logger.warn(`SUPERUSER_PASSWORD is used although it breaks the password rules: ${problems.join(' ')}`)
  }
}

/** The running program. */
export interface App {
  readonly core: Core
  readonly superuser: SuperuserReport
  /** Background work; its loops run once it is started. */
  readonly background: Background
  /**
   * Starts the background work; on a standby only after it has been promoted. Prepares the process for the first
   * GraphQL query.
   */
  startBackground(): void
  /** Starts to accept requests; returns the address to open in a browser. Throws when the port is taken. */
  listen(): Promise<string>
  /**
   * Reports that the process is not ready, and resolves once load balancers have had time to notice; requests are still
   * served.
   */
  drain(): Promise<void>
  /** Lets requests and background work in flight finish, then closes the database. */
  close(): Promise<void>
}

type Respond = (request: InProcessRequest) => Promise<InProcessResponse>

/** All background work of a process, one loop for each kind. */
function backgroundWork(
  { service, vault, generations, application: { catalogue } }: Core,
  respond: Respond,
  logger: Logger,
  idleTime: () => number,
): readonly BackgroundWork[] {
  const backups = scheduledBackups(service)
  const now = () => generations.current.application
  return [
    ...jobWork(
      service,
      [
        ...backups.kinds,
        housekeepingJob([...PRUNERS, completedDeliveries]),
        requestJob(respond),
        dataSourceJob(vault),
        importJob(vault),
        scriptJob(respond),
        emailJob(service.settings),
        ...packJobKinds(now, catalogue),
      ],
      logger,
    ),
    ...backups.work,
    ...packJobSchedules(service, now, catalogue),
    ...followDirectory(service, logger),
    sequencer(service),
    dateRuleWork(service),
    ruleWork(service),
    ruleEngine(service, {
      startScript: (transaction, start) =>
        enqueueScript(transaction, service, {
          ...start,
          // Outside of requests, the service cannot know the address that clients use.
          commit: true,
          base: `http://localhost${service.settings.basePath}`,
        }),
      sendEmail: (transaction, email) => enqueueEmail(transaction, service, email),
    }),
    deliveryWorker(service),
    searchIndexing(service, { idleTime }),
  ]
}

/** Stores what a start adds: the superuser, the configured token, schedules. */
async function prepareRows({ service, vault, audit }: Core, logger: Logger): Promise<SuperuserReport> {
  const { settings } = service
  const superuser = await service.database.transaction((transaction) => ensureSuperuser(transaction, settings, vault))
  if (superuser.made) {
    audit({ event: 'superuserMade', user: superuser.made.username })
    await warnOfWeakPassword(superuser.made, settings, logger)
  }
  await scheduleAll(service)
  return superuser
}

/** Milliseconds after a start in which the first requests have the processor to themselves. */
const GRAPHQL_DELAY = 1_000

/** Who may send requests, and the endpoints of the API. `pages`: those of packs, if people use them. */
function apiOf({ generations, vault, audit }: Core, stopping: Stopping, pages: PagesOfPacks = new Map()) {
  const { service: first } = generations.current
  const lastUse = new LastUse(first)
  const providers = createProviders(first.settings)
  const metrics = first.settings.metricsEnabled ? createMetrics(first) : undefined
  const servedBy = ({ service, application }: Generations['current']): Served => {
    const authentication: Authentication = {
      ...{ service, vault, lastUse, audit, providers },
      externalUsers: (person, login) => userOfPerson(service, audit, person, login),
    }
    const actions = applicationActions(application)
    return {
      authentication,
      calls: new Map(application.plugins.flatMap(({ calls }) => Object.entries(calls))),
      routes: routesOf(service.registry, authentication, {
        ...{ actions, stopping, metrics, menu: application.menu },
        endpoints: applicationEndpoints(application),
        observe: application.plugins.find(({ observe }) => observe)?.observe,
        added: applicationPages(application, pages),
      }),
    }
  }
  /** By registry, since work that outlives a request keeps the models with which it began. */
  const served = new WeakMap<Registry, Served>()
  const of = (generation: Generations['current']): Served => {
    const { registry } = generation.service
    const made = served.get(registry) ?? servedBy(generation)
    served.set(registry, made)
    return made
  }
  of(generations.current)
  const serving: Serving = {
    now: () => of(generations.current),
    next: () => {
      const latest = generations.latest()
      return latest instanceof Promise ? latest.then(of) : of(latest)
    },
    renewed: async () => of(await generations.renewed()),
  }
  const respond = (request: InProcessRequest) => {
    const { routes } = served.get(request.service.registry) ?? serving.now()
    return respondInProcess(routes, request)
  }
  return { lastUse, metrics, serving, respond }
}

/** What a command needs to run a script: the API without a server, and a worker that runs scripts only. */
export function scriptRunner(core: Core, logger: Logger) {
  const { service } = core
  const { respond } = apiOf(core, { isBegun: false })
  return {
    respond,
    /** Lists the scripts that the directory contains now. */
    readDirectory: async (): Promise<void> => {
      for (const { turn } of followDirectory(service, logger)) await turn(AbortSignal.timeout(LONGEST_READ))
    },
    worker: createBackground(jobWork(service, [scriptJob(respond)], logger), service.cache.log, logger),
  }
}

/** Maximum milliseconds for loading all files of scripts. */
const LONGEST_READ = 600_000

/** Ends the processes that know the models of this service. */
async function closeProcesses(service: Service): Promise<void> {
  closeTemplates(service)
  await closeScripts(service)
}

/** As `closeProcesses`, but what still works with these models may finish, and start processes for itself. */
async function retireProcesses({ registry }: Service): Promise<void> {
  retireTemplates(registry)
  retireValidators(registry)
  await retireScripts(registry)
}

/** Puts the program together over an open core. */
export async function createApp(core: Core, logger: Logger): Promise<App> {
  const { service } = core
  const { settings } = service
  const isStandby = isReadOnly(service.database)
  const superuser = isStandby ? { tokenAdded: false } : await prepareRows(core, logger)
  const stopping: Stopping = { isBegun: false }
  const pages = await pagesOfPacks(core.application.catalogue)
  const { lastUse, metrics, serving, respond } = apiOf(core, stopping, pages)
  const server = await createServer(serving, logger, stopping, metrics)
  const work = backgroundWork(core, respond, logger, idleTimeOf(server, service))
  core.generations.follow((replaced) => void retireProcesses(replaced))
  const background = createBackground(work, service.cache.log, logger)
  let isClosed = false
  const startAfterPromotion = async (): Promise<void> => {
    await service.database.writable()
    if (isClosed) return
    try {
      await prepareRows(core, logger)
      background.start()
    } catch (error) {
      logger.error({ err: error }, 'the start after a promotion failed and is repeated')
      setTimeout(() => void startAfterPromotion(), 1_000).unref()
    }
  }
  const prepareGraphql = async (): Promise<void> => {
    await delay(GRAPHQL_DELAY, undefined, { ref: false })
    if (isClosed) return
    try {
      await prepareQueries(core.generations.current.service.registry)
    } catch (error) {
      logger.error({ err: error }, 'the GraphQL schema could not be built')
    }
  }
  return {
    core,
    superuser,
    background,
    startBackground: () => {
      if (isStandby) void startAfterPromotion()
      else background.start()
      if (settings.graphqlEnabled) void prepareGraphql()
    },
    listen: async () => {
      const address = await server.listen({ host: settings.host, port: settings.port })
      return `${address}${settings.basePath}`
    },
    drain: async () => {
      stopping.isBegun = true
      await delay(settings.shutdownDelay)
    },
    close: async () => {
      stopping.isBegun = true
      isClosed = true
      await Promise.all([server.close(), background.stop()])
      await lastUse.settled()
      await closeProcesses(core.generations.current.service)
      await core.close()
    },
  }
}
