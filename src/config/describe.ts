import { DECLARATIONS, type Declaration } from './settings.ts'

/** The headings of the page, each with the first setting of its section. */
const GROUPS: ReadonlyMap<string, string> = new Map([
  ['HOST', 'Address and proxy'],
  ['DATA_DIR', 'Data and database'],
  ['WORKERS', 'Processes, jobs and scripts'],
  ['BACKUP_SCHEDULE', 'Backups'],
  ['JOB_RETENTION', 'Retention'],
  ['PLUGINS', 'Plugins'],
  ['SUPERUSER_NAME', 'First user and secrets'],
  ['AUTH_PASSWORD_VALIDATORS', 'Passwords, sessions and permissions'],
  ['AUTH_PROVIDERS', 'Sign-in providers and proxy headers'],
  ['PAGINATE_COUNT', 'Lists, GraphQL and limits'],
  ['CORS_ORIGIN_ALLOW_ALL', 'Browsers'],
  ['MAINTENANCE_MODE', 'Rules of the inventory'],
  ['WEBHOOK_RETRY_DELAY', 'Webhooks and e-mail'],
  ['DATA_SOURCE_DIRECTORIES', 'Data sources'],
  ['FIELD_CHOICES', 'Choices, validation and pages'],
  ['LOG_LEVEL', 'Logs, metrics and traces'],
  ['DEMO', 'Sample data'],
])

/** Defaults that are too long for the table, or differ in form from their text in the environment. */
const LONG_DEFAULTS: ReadonlyMap<string, string> = new Map([
  [
    'AUTH_PASSWORD_VALIDATORS',
    `[
  {"NAME": "MinimumLengthValidator", "OPTIONS": {"min_length": 12}},
  {"NAME": "AlphanumericPasswordValidator"},
  {"NAME": "CommonPasswordValidator"}
]`,
  ],
  ['DEFAULT_PERMISSIONS', JSON.stringify(DECLARATIONS.defaultPermissions.default).replaceAll('],', '],\n ')],
])

/** A default in the notation of the environment. */
function writtenDefault({ name, default: value }: Declaration<unknown>): string {
  if (LONG_DEFAULTS.has(name)) return '[below](#long-defaults)'
  if (value === undefined || value === '') return ''
  if (Array.isArray(value)) return value.length === 0 ? '' : `\`${value.join(',')}\``
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  return `\`${text.replaceAll('|', '\\|')}\`` // a bare | would end the cell
}

function row(declaration: Declaration<unknown>): string {
  const { name, type, help, secret, dynamic } = declaration
  const mark = dynamic ? ' \\*' : ''
  const value = type.expects.replace(/^a whole number from /, '')
  return `| \`${name}\`${mark} | ${writtenDefault(declaration)} | ${help}${secret ? ' (secret)' : ''} | ${value} |`
}

function headed(declaration: Declaration<unknown>): string {
  const heading = GROUPS.get(declaration.name)
  if (heading === undefined) return row(declaration)
  return `\n## ${heading}\n\n| name | default | what it does | value |\n|---|---|---|---|\n${row(declaration)}`
}

/** All settings as a Markdown page; docs/operate/configuration.md is this text. */
export function describeConfiguration(): string {
  const rows = Object.values<Declaration<unknown>>(DECLARATIONS).map(headed)
  const defaults = [...LONG_DEFAULTS].map(([name, value]) => `\`${name}\`:\n\n\`\`\`json\n${value}\n\`\`\``)
  return `# Configuration

Settings are environment variables. If a value is wrong, the service does not start and says what to change. An empty
variable counts as not set. If the column *default* is empty, the setting has no default; *0 to 256* means a whole
number. Settings with \\* can be changed while the service runs, on the page **Admin › Configuration** or with
\`cadastre config set\`, unless the environment sets them. All other settings take effect at the next start.

\`cadastre configuration\` prints this page. [migrate-from-netbox.md](../start/migrate-from-netbox.md#settings-of-netbox)
lists the NetBox parameters that have no effect here.
${rows.join('\n')}

## Long defaults

Your own value replaces the whole default, so repeat the parts that you want to keep.

${defaults.join('\n\n')}
`
}
