import cluster from 'node:cluster'
import { createServer } from 'node:net'
import { Command } from 'commander'
import type { Logger } from 'pino'
import type { App } from '../app/app.ts'
import { type Environment, openCore } from '../app/core.ts'
import { kernelWalls, missingWalls } from '../automation/confinement/walls.ts'
import { keepTemplatesReady } from '../automation/templates/keep-ready.ts'
import { ConfigurationError, codeOf } from '../base/errors.ts'
import { logUnhandledRejections } from '../changes/background/unhandled-rejections.ts'
import { makeDataDirectory } from '../config/data-directory.ts'
import { readSettings, type Settings } from '../config/settings.ts'
import { refuseFormerDatabase } from '../db/embedded/cluster-directory.ts'
import { type EmbeddedServer, useEmbeddedServer } from '../db/embedded/embedded-server.ts'
import { auditLog } from '../identity/audit-log.ts'
import { loadDemo } from '../transfer/demo/load-demo.ts'
import { runCluster } from './cluster/primary.ts'
import { openWorkerChannel } from './cluster/worker-channel.ts'
import { newUserText, readyText } from './greeting.ts'
import { createLogger, createTerminalLogger } from './logger.ts'
import { warnOfUnknownSettings } from './unknown-settings.ts'

type Place = Pick<Settings, 'host' | 'port'>

/** Listens for a moment. Throws ConfigurationError if the service could not listen at HOST and PORT. */
async function checkListening({ host, port }: Place): Promise<void> {
  const server = createServer()
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen({ host, port }, resolve)
    })
  } catch (error) {
    throw listeningProblem(error, { host, port }) ?? error
  }
  await new Promise((resolve) => server.close(resolve))
}

/** The sentence for an error of `listen`; undefined if the configuration is not the cause. */
function listeningProblem(error: unknown, { host, port }: Place): ConfigurationError | undefined {
  const code = codeOf(error)
  if (code === 'EADDRINUSE') {
    return new ConfigurationError(`PORT ${port} is taken by another program; choose another one.`)
  }
  if (code === 'EACCES') return new ConfigurationError(`PORT ${port} may not be used by this user.`)
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return new ConfigurationError(`HOST ${host} is not an address of this machine.`)
  }
  return undefined
}

interface ServeOptions {
  readonly demo?: true
  readonly migrateWhileServed?: boolean
}

/** True for `npm start --demo`: without a `--` before it, npm keeps the option and passes it on in this variable. */
const isDemoOfNpm = (): true | undefined => (process.env.npm_config_demo === 'true' ? true : undefined)

/** Serves the API until a signal stops it. */
export const serveCommand = new Command('serve')
  .description('Start the service.')
  .option('--demo', 'start with a small sample network', isDemoOfNpm())
  .option('--migrate-while-served', 'change the tables even if processes that are running cannot use them afterwards')
  .action(async ({ demo, migrateWhileServed = false }: ServeOptions) => {
    const settings = serveSettings(demo)
    const logger = isQuietTerminal() ? createTerminalLogger() : createLogger(settings)
    logUnhandledRejections(logger)
    if (cluster.isWorker) return await serveAsWorker(settings, logger)
    stopWithNpm()
    warnOfUnknownSettings((sentence) => logger.warn(sentence))
    await checkListening(settings)
    const server = await startDatabaseServer(settings, logger)
    const app = await prepareOnce(settings, logger, migrateWhileServed)
    if (settings.workers === 1) await serveAlone(app, logger, server)
    else await serveByWorkers(app, logger, server)
  })

/** The PostgreSQL server of DATA_DIR, for this process, its workers and commands; undefined with DATABASE_URL. */
async function startDatabaseServer(settings: Settings, logger: Logger): Promise<EmbeddedServer | undefined> {
  if (settings.databaseUrl !== undefined) return undefined
  makeDataDirectory(settings.dataDir)
  refuseFormerDatabase(settings.dataDir)
  return await useEmbeddedServer(settings, { role: 'service', warn: (sentence) => logger.warn(sentence) })
}

/** True on a terminal, unless the environment asks for a log: its lines would push the output of the start out of view. */
const isQuietTerminal = (): boolean =>
  process.stdout.isTTY === true &&
  [process.env.REQUEST_LOG_LEVEL, process.env.LOG_LEVEL].every((level) => (level ?? '').trim() === '')

function serveSettings(demo: true | undefined): Settings {
  return {
    ...readSettings(process.env),
    ...(demo && { demo }),
    ...(isQuietTerminal() && { requestLogLevel: 'off' as const }),
  }
}

async function serveAlone(app: App, logger: Logger, server: EmbeddedServer | undefined): Promise<void> {
  const address = await listen(app, logger, server)
  await greet(app, logger, address)
}

/** Serves as one of several processes on one port; the process that started it has prepared the database. */
async function serveAsWorker(settings: Settings, logger: Logger): Promise<void> {
  const channel = openWorkerChannel()
  const databasePoolSize = Math.max(2, Math.ceil(settings.databasePoolSize / settings.workers))
  const app = await prepare({ ...settings, databasePoolSize }, logger, { otherProcesses: channel })
  channel.reportListening(await listen(app, logger))
}

/** Starts the workers over the prepared database. */
async function serveByWorkers(app: App, logger: Logger, server: EmbeddedServer | undefined): Promise<void> {
  await app.close()
  await runCluster({
    workers: app.core.service.settings.workers,
    onServing: (address) => void greet(app, logger, address),
    warn: (sentence) => logger.warn(sentence),
  })
  await server?.release()
  process.exit(0)
}

/**
 * As `prepare`, then loads the sample network if configured. Prints a generated password before anything else can
 * fail.
 */
async function prepareOnce(settings: Settings, logger: Logger, migrateWhileServed: boolean): Promise<App> {
  const app = await prepare(settings, logger, { migrateWhileServed })
  const newUser = newUserText(app.superuser)
  if (newUser !== undefined) console.log(newUser)
  if (settings.demo) await loadDemo(app.core.service)
  void reportWalls(logger)
  return app
}

/** Says in the log what the kernel lacks to confine code of users. */
async function reportWalls(logger: Logger): Promise<void> {
  const missing = missingWalls(await kernelWalls())
  if (missing !== undefined) logger.warn(missing)
}

async function prepare(settings: Settings, logger: Logger, environment: Partial<Environment>): Promise<App> {
  const warn = (sentence: string) => logger.warn(sentence)
  const core = await openCore(settings, warn, { ...environment, audit: auditLog(logger) })
  // Other commands do not need the code for requests, and loading it would add half to their start time.
  const { createApp } = await import('../app/app.ts')
  return await createApp(core, logger)
}

/** Accepts requests until a signal, which then stops the `server` too; returns the address. */
async function listen(app: App, logger: Logger, server?: EmbeddedServer): Promise<string> {
  const { settings } = app.core.service
  stopOnSignals(app, logger, server)
  try {
    const address = await app.listen()
    app.startBackground()
    void keepTemplatesReady(app.core.service)
    return address
  } catch (error) {
    await app.close()
    throw listeningProblem(error, settings) ?? error
  }
}

/** Prints what a person needs to know after a start, below the log lines so far. */
async function greet({ core, superuser }: App, logger: Logger, address: string): Promise<void> {
  await new Promise((resolve) => logger.flush(resolve))
  const { settings } = core.service
  console.log(readyText({ settings, superuser, address, isQuiet: isQuietTerminal() }))
}

/** Scripts of package.json that serve. */
const NPM_SCRIPTS: ReadonlySet<string | undefined> = new Set(['start', 'cadastre'])
/** Milliseconds between two looks at the parent process. */
const PARENT_INTERVAL = 500

/** Under `npm start`, stops when npm does: a signal ends npm and its shell, which does not pass it on. */
function stopWithNpm(): void {
  if (!NPM_SCRIPTS.has(process.env.npm_lifecycle_event)) return
  const shell = process.ppid
  const watch = setInterval(() => {
    if (process.ppid !== shell) process.kill(process.pid, 'SIGTERM')
  }, PARENT_INTERVAL).unref()
  // A second signal would end the process at once.
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => clearInterval(watch))
}

/** The first signal stops cleanly, SIGTERM after load balancers have had time to notice; a second one does not wait. */
function stopOnSignals(app: App, logger: Logger, server: EmbeddedServer | undefined): void {
  let isStopping = false
  const stop = async (signal: NodeJS.Signals): Promise<void> => {
    if (isStopping) {
      // If a signal is sent to the whole group, a worker gets it twice; the second one reaches it as SIGKILL.
      if (cluster.isWorker) return
      process.exit(1)
    }
    isStopping = true
    try {
      if (signal === 'SIGTERM') await app.drain()
      await app.close()
      await server?.release()
      process.exit(0)
    } catch (error) {
      logger.error({ err: error }, 'the service did not stop cleanly')
      process.exit(1)
    }
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, (sent) => void stop(sent))
}
