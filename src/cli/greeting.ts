import { resolve } from 'node:path'
import type { Settings } from '../config/settings.ts'
import type { MadeSuperuser, SuperuserReport } from '../identity/superuser.ts'
import { COMMAND } from './command-name.ts'

/** Result of a start, for display to people. */
export interface Started {
  readonly settings: Settings
  readonly superuser: SuperuserReport
  /** Base URL of the service: `http://127.0.0.1:8000`. */
  readonly address: string
  /** Only warnings are shown, because standard output is a terminal. */
  readonly isQuiet: boolean
}

/** The first user of a new database, with the password if it was generated. Undefined if none was created. */
export function newUserText({ made }: SuperuserReport): string | undefined {
  if (!made) return undefined
  const first = `The superuser "${made.username}" has been created.`
  return [first, ...passwordLines(made)].join('\n')
}

function passwordLines({ source, password }: MadeSuperuser): readonly string[] {
  if (source === 'generated') return [`  Its password, shown only this once: ${password}`]
  return source === 'environment' ? ['  Its password is that of SUPERUSER_PASSWORD.'] : []
}

/** Where to sign in, where the API and the data are, and how to get a new password. */
export function readyText({ settings, superuser, address, isQuiet }: Started): string {
  const { demo, superuserApiToken } = settings
  const name = superuser.made?.username ?? settings.superuserName
  return [
    `Cadastre is ready: ${address}/`,
    '',
    `  Sign in        ${address}/login/ as ${name}`,
    `  API            ${address}/api/, documented at ${address}/api/schema/swagger-ui/`,
    `  Data           ${placeOf(settings)}`,
    ...(demo ? ['  Sample network loaded by --demo or DEMO; without it an empty database stays empty'] : []),
    `  New password   ${COMMAND} create-superuser ${name}`,
    ...(superuserApiToken === undefined ? tokenLines(name, address) : []),
    `  First request  curl -H 'Authorization: Bearer <token>' ${address}/api/dcim/sites/`,
    ...(isQuiet ? ['  A terminal shows only warnings; LOG_LEVEL=info shows the log with all requests'] : []),
  ].join('\n')
}

function placeOf({ dataDir, databaseUrl }: Settings): string {
  if (databaseUrl !== undefined) {
    return `the PostgreSQL database of DATABASE_URL; uploaded files in ${resolve(dataDir)}`
  }
  return resolve(dataDir)
}

const tokenLines = (name: string, address: string): readonly string[] => [
  `  API token      create one at ${address}/user/api-tokens/, or:`,
  `    curl -X POST ${address}/api/users/tokens/provision/ -H 'Content-Type: application/json' \\`,
  `      -d '{"username": "${name}", "password": "…"}'`,
]
