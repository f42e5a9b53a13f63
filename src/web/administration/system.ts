import type { ApiRequest } from '../../api/api-request.ts'
import { API_VERSIONS } from '../../base/api-version.ts'
import { PROGRAM_VERSION } from '../../config/program-version.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import type { Service } from '../../service.ts'
import { sql, volatile } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { attributesPanel, panel } from '../components/panel.ts'
import type { PageResponse } from '../frame/page-frame.ts'
import { html } from '../html.ts'
import { translate, translateLabel } from '../texts/translate.ts'
import { requireSuperuser } from './require-superuser.ts'

const TITLE = 'System'

/** GET of the state of the service: versions, plugins, background work. For superusers. */
export async function systemPage(request: ApiRequest): Promise<PageResponse> {
  requireSuperuser(request)
  const { service } = request
  const [jobs, deliveries, database] = await Promise.all([
    statesOf(service, SYSTEM.job),
    statesOf(service, SYSTEM.webhookDelivery),
    databaseText(service),
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
  { label: translate('Database'), value: database },
  { label: translate('Running for'), value: duration(process.uptime()) },
  { label: translate('Memory'), value: `${Math.round(process.memoryUsage.rss() / 2 ** 20)} MiB` },
])}
${panel(translate('Plugins'), plugins.length === 0 ? html`<p>${translate('None are loaded.')}</p>` : html`<ul>${plugins.map(({ label, version, description }) => html`<li><strong>${label}</strong> ${version} ${description}</li>`)}</ul>`)}
</div><div>
${statesPanel(service, translate('Jobs'), SYSTEM.job, jobs)}
${statesPanel(service, translate('Webhook deliveries'), SYSTEM.webhookDelivery, deliveries)}
</div></div>`,
  }
}

async function databaseText({ database, settings }: Service): Promise<string> {
  const [version] = await database.queryColumn(volatile`select current_setting('server_version')`)
  const server = `PostgreSQL ${String(version)}`
  return settings.databaseUrl === undefined ? translate('{server}, started by this service', { server }) : server
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
  const list = `${service.settings.basePath}${pagePathOf(service.registry.model(model))}`
  if (counts.length === 0) return panel(title, html`<p>${translate('None')}</p>`)
  return attributesPanel(
    title,
    counts.map(({ status, count }) => ({
      label: translateLabel(status),
      value: html`<a href="${list}?status=${status}">${count}</a>`,
    })),
  )
}

const duration = (seconds: number): string => {
  const minutes = Math.floor(seconds / 60)
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}
