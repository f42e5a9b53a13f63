import { statfs } from 'node:fs/promises'
import type { ApiRequest } from '../../api/api-request.ts'
import { nextTime } from '../../automation/jobs/scheduled-job.ts'
import { API_VERSIONS } from '../../base/api-version.ts'
import { PROGRAM_VERSION } from '../../config/program-version.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import type { Service } from '../../service.ts'
import { sql, volatile } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { backupPlace, backupState } from '../../transfer/backup/scheduled-backup.ts'
import { type Attribute, attributesPanel, panel } from '../components/panel.ts'
import { choiceLabel, EMPTY, timestampDisplay } from '../components/value.ts'
import type { PageResponse } from '../frame/page-frame.ts'
import { html } from '../html.ts'
import { numeral, translate, translateLabel } from '../texts/translate.ts'
import { requireSuperuser } from './require-superuser.ts'

const TITLE = 'System'

/** GET of the state of the service: versions, room, backups, plugins, background work. For superusers. */
export async function systemPage(request: ApiRequest): Promise<PageResponse> {
  requireSuperuser(request)
  const { service } = request
  const [jobs, deliveries, database, free, backups] = await Promise.all([
    statesOf(service, SYSTEM.job),
    statesOf(service, SYSTEM.webhookDelivery),
    databaseState(service),
    freeIn(service.startSettings.dataDir),
    backupAttributes(service),
  ])
  const { plugins } = service.registry
  return {
    title: translate(TITLE),
    styles: ['objects.css'],
    breadcrumbs: [{ label: translate(TITLE), path: '/core/system/' }],
    body: html`<h1>${translate(TITLE)}</h1><div class="panels"><div>
${attributesPanel(translate('Service'), [
  { label: translate('Version'), value: PROGRAM_VERSION },
  {
    label: translate('API version'),
    value: translate('{version} by default; {versions} on request', {
      version: service.settings.apiVersion,
      versions: API_VERSIONS.join(', '),
    }),
  },
  { label: 'Node.js', value: process.versions.node },
  { label: translate('Database'), value: database.server },
  { label: translate('Running for'), value: duration(process.uptime()) },
  { label: translate('Memory'), value: sizeText(process.memoryUsage.rss()) },
  { label: translate('Size of the database'), value: sizeText(database.bytes) },
  { label: translate('Free in the data directory'), value: free === undefined ? EMPTY : sizeText(free) },
  { label: translate('Active users'), value: numeral(database.users) },
])}
${attributesPanel(translate('Backups'), backups)}
${panel(translate('Plugins'), plugins.length === 0 ? html`<p>${translate('None are loaded.')}</p>` : html`<ul>${plugins.map(({ label, version, description }) => html`<li><strong>${label}</strong> ${version} ${description}</li>`)}</ul>`)}
</div><div>
${statesPanel(service, translate('Jobs'), SYSTEM.job, jobs)}
${statesPanel(service, translate('Webhook deliveries'), SYSTEM.webhookDelivery, deliveries)}
</div></div>`,
  }
}

/** The database server, the size of the database in bytes, and the number of active users. */
async function databaseState({ database, settings }: Service) {
  const [row] = await database.query<{ version: string; bytes: number; users: number }>(volatile`
    select current_setting('server_version') as version, pg_database_size(current_database())::float8 as bytes,
      (select count(*)::int from ${table(SYSTEM.user)} t where t.is_active) as users`)
  const { version = '', bytes = 0, users = 0 } = row ?? {}
  const server = `PostgreSQL ${version}`
  return {
    server: settings.databaseUrl === undefined ? translate('{server}, started by this service', { server }) : server,
    bytes,
    users,
  }
}

/** Free bytes on the disk of the directory; undefined for a bucket. */
async function freeIn(directory: string): Promise<number | undefined> {
  try {
    const { bavail, bsize } = await statfs(directory)
    return bavail * bsize
  } catch {
    return undefined
  }
}

/** When backups are made, whether the last one succeeded, and where they are. */
async function backupAttributes({ database, startSettings: settings, clock }: Service): Promise<readonly Attribute[]> {
  const { backupSchedule } = settings
  const { lastSuccess, hasFailed } = await backupState(database)
  const timeOf = (milliseconds: number) => timestampDisplay(new Date(milliseconds).toISOString())
  const last = lastSuccess === undefined ? translate('none yet') : timeOf(lastSuccess)
  return [
    {
      label: translate('Last backup'),
      value: hasFailed ? html`${last} <span class="badge red">${translate('The last attempt failed')}</span>` : last,
    },
    {
      label: translate('Next backup'),
      value: backupSchedule
        ? timeOf(nextTime(backupSchedule, clock.now()))
        : translate('none is scheduled: set BACKUP_SCHEDULE'),
    },
    { label: translate('Place'), value: html`<code>${backupPlace(settings)}</code>` },
  ]
}

const sizeText = (bytes: number): string => {
  const mebibytes = bytes / 2 ** 20
  return mebibytes < 10_240 ? `${numeral(Math.round(mebibytes))} MiB` : `${numeral(Math.round(mebibytes / 1024))} GiB`
}

interface StateCount extends Record<string, unknown> {
  readonly status: string
  readonly count: number
}

const statesOf = ({ database }: Service, model: string): Promise<StateCount[]> =>
  database.query<StateCount>(
    sql`select status, count(*)::integer as count from ${table(model)} t group by status order by status`,
  )

function statesPanel(service: Service, title: string, model: string, counts: readonly StateCount[]) {
  const { fields } = service.registry.model(model)
  const list = `${service.settings.basePath}${pagePathOf(service.registry.model(model))}`
  if (counts.length === 0) return panel(title, html`<p>${translate('None')}</p>`)
  return attributesPanel(
    title,
    counts.map(({ status, count }) => ({
      label: translateLabel(choiceLabel(fields.get('status'), status) ?? status),
      value: html`<a href="${list}?status=${status}">${count}</a>`,
    })),
  )
}

const duration = (seconds: number): string => {
  const minutes = Math.floor(seconds / 60)
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}
