import { Command } from 'commander'
import { type Logger, pino } from 'pino'
import { type App, createApp, openCore } from '../app.ts'
import { auditLog } from '../auth/audit-log.ts'
import { readSettings } from '../config/settings.ts'
import { ConfigurationError } from '../errors.ts'
import { loadDemo } from '../transfer/demo/load-demo.ts'

/** Serves the API until it is told to stop. */
export const serveCommand = new Command('serve')
  .description('start the service (default)')
  .option('--demo', 'start with a small sample network')
  .action(async ({ demo }: { readonly demo?: true }) => {
    const settings = { ...readSettings(process.env), ...(demo && { demo }) }
    const logger = pino({ level: settings.logLevel })
    const warn = (sentence: string) => logger.warn(sentence)
    const core = await openCore(settings, warn, auditLog(logger))
    const app = await createApp(core, logger)
    if (settings.demo) await loadDemo(core.service)
    stopOnSignals(app, logger)
    try {
      greet(app, await app.listen())
    } catch (error) {
      await app.close()
      throw portProblem(error, settings.host, settings.port) ?? error
    }
  })

/** What a person needs to know after a start. */
function greet({ superuser, core }: App, address: string): void {
  const { settings } = core.service
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
