import cluster from 'node:cluster'
import { Command } from 'commander'
import type { Logger } from 'pino'
import { type App, createApp, openCore } from '../app.ts'
import { auditLog } from '../auth/audit-log.ts'
import type { SuperuserReport } from '../auth/superuser.ts'
import { joinPeers } from '../cluster/peers.ts'
import { runCluster } from '../cluster/primary.ts'
import { readSettings, type Settings } from '../config/settings.ts'
import { ConfigurationError } from '../errors.ts'
import type { Peers } from '../storage/database.ts'
import { loadDemo } from '../transfer/demo/load-demo.ts'
import { createLogger } from './logger.ts'

/** Serves the API until it is told to stop. */
export const serveCommand = new Command('serve')
  .description('start the service (default)')
  .option('--demo', 'start with a small sample network')
  .action(async ({ demo }: { readonly demo?: true }) => {
    const settings = { ...readSettings(process.env), ...(demo && { demo }) }
    const logger = createLogger(settings)
    if (settings.workers === 1) await serveAlone(settings, logger)
    else if (cluster.isWorker) await serveAsWorker(settings, logger)
    else await serveByWorkers(settings, logger)
  })

async function serveAlone(settings: Settings, logger: Logger): Promise<void> {
  const app = await prepare(settings, logger)
  if (settings.demo) await loadDemo(app.core.service)
  greet(settings, app.superuser, await listen(app, logger))
}

/** One of several processes at one port; what they share has been prepared by the one that started it. */
async function serveAsWorker(settings: Settings, logger: Logger): Promise<void> {
  const peers = joinPeers()
  const databasePoolSize = Math.max(2, Math.ceil(settings.databasePoolSize / settings.workers))
  const app = await prepare({ ...settings, databasePoolSize }, logger, peers)
  peers.serves(await listen(app, logger))
}

/** Prepares the database once, then leaves it to the workers. */
async function serveByWorkers(settings: Settings, logger: Logger): Promise<void> {
  if (settings.databaseUrl === undefined) {
    throw new ConfigurationError(
      'WORKERS above 1 need DATABASE_URL: the embedded database belongs to one process.',
    )
  }
  const app = await prepare(settings, logger)
  if (settings.demo) await loadDemo(app.core.service)
  await app.close()
  await runCluster({
    workers: settings.workers,
    onServing: (address) => greet(settings, app.superuser, address),
    warn: (sentence) => logger.warn(sentence),
  })
  process.exit(0)
}

async function prepare(settings: Settings, logger: Logger, peers?: Peers): Promise<App> {
  const warn = (sentence: string) => logger.warn(sentence)
  const core = await openCore(settings, warn, auditLog(logger), peers)
  return await createApp(core, logger)
}

/** Answers from now on, until a signal; returns the address. */
async function listen(app: App, logger: Logger): Promise<string> {
  const { settings } = app.core.service
  stopOnSignals(app, logger)
  try {
    return await app.listen()
  } catch (error) {
    await app.close()
    throw portProblem(error, settings.host, settings.port) ?? error
  }
}

/** What a person needs to know after a start. */
function greet(settings: Settings, superuser: SuperuserReport, address: string): void {
  const lines = [`Cadastre is ready: ${address}/api/`]
  const { made } = superuser
  if (made) {
    lines.push(`The superuser "${made.username}" has been made.`)
    if (made.password !== undefined) {
      lines.push(`  Its password, shown only this once: ${made.password}`)
    }
  }
  if (settings.superuserApiToken === undefined) {
    lines.push(
      'Get a token with your name and password:',
      `  curl -X POST ${address}/api/users/tokens/provision/ -H 'Content-Type: application/json' \\`,
      `    -d '{"username": "${made?.username ?? settings.superuserName}", "password": "…"}'`,
    )
  }
  lines.push('Then ask:', `  curl -H 'Authorization: Token <key>' ${address}/api/dcim/sites/`)
  lines.push(`Documentation of all endpoints: ${address}/api/schema/swagger-ui/`)
  console.log(lines.join('\n'))
}

/** The first signal stops cleanly; a second one does not wait. */
function stopOnSignals(app: App, logger: Logger): void {
  let isStopping = false
  const stop = () => {
    if (isStopping) process.exit(1)
    isStopping = true
    app.close().then(
      () => process.exit(0),
      (error: unknown) => {
        logger.error({ err: error }, 'the service did not stop cleanly')
        process.exit(1)
      },
    )
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
}

function portProblem(error: unknown, host: string, port: number): ConfigurationError | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'EADDRINUSE') {
    return new ConfigurationError(`PORT ${port} is taken by another program; choose another one.`)
  }
  if (code === 'EACCES') return new ConfigurationError(`PORT ${port} may not be used by this user.`)
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return new ConfigurationError(`HOST ${host} is not an address of this machine.`)
  }
  return undefined
}
