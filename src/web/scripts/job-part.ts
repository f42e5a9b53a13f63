import type { ApiRequest } from '../../api/api-request.ts'
import { ID } from '../../api/routes.ts'
import { forbidden } from '../../base/errors.ts'
import { isJsonObject, type Json, type JsonObject } from '../../schema/json.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { csrfField } from '../components/csrf-field.ts'
import { renderedMarkdown } from '../components/markdown.ts'
import { attributesPanel, panel } from '../components/panel.ts'
import { timestampDisplay } from '../components/value.ts'
import { type ApiRoutes, askApi } from '../data/ask-api.ts'
import { mayActOn, readOne } from '../data/page-objects.ts'
import type { ObjectPart, ObjectTab } from '../frame/object-content.ts'
import type { ModelPage } from '../frame/page-endpoint.ts'
import { seeOther } from '../frame/page-response.ts'
import { withEffect } from '../frame/saved-notice.ts'
import { type Content, html } from '../html.ts'
import { translate, translateLabel } from '../texts/translate.ts'

/** States in which a job has not ended. */
const OPEN: ReadonlySet<string> = new Set(['pending', 'scheduled', 'running'])

/**
 * The output and the messages of a job. Until it has ended, the page is kept up to date, and superusers may stop it.
 */
export const jobPart: ObjectPart = {
  models: [SYSTEM.job],
  pages: (routes) => [[`${ID}/stop/`, 'GET POST', stopJobPage(routes)]],
  load: async ({ request, object }) => {
    const { data } = object
    const { output, tests } = isJsonObject(data) ? data : {}
    const log = isJsonObject(data) && Array.isArray(data.log) ? data.log : object.log_entries
    const isOpen = OPEN.has(statusOf(object))
    const below = html`${isOpen && jobNotice(request, object)}
${output != null && output !== '' && panel(translate('Output'), html`<pre class="document" tabindex="0">${textOf(output)}</pre>`)}
${Array.isArray(log) && log.length > 0 && panel(translate('Log'), logTable(log))}
${isJsonObject(tests) && testPanels(tests)}`
    const run = await runOf(request, object)
    return {
      left: html`${isJsonObject(tests) && Object.keys(tests).length > 0 && panel(translate('Summary'), html`<p>${summaryOf(tests)}</p>`)}${run?.content}`,
      actions: run?.again,
      below,
      ...(isOpen && { scripts: ['follow-job.client.ts'] }),
    }
  },
}

/** The script of a job with its input, and a link to its form, filled in with the same input; for users who may run it. */
async function runOf(
  request: ApiRequest,
  { id, object, user }: JsonObject,
): Promise<{ readonly content: Content; readonly again: Content } | undefined> {
  const { registry, settings, database } = request.service
  const scripts = registry.model(SYSTEM.script)
  const isScript = isJsonObject(object) && String(object.url).includes(`/api/${scripts.path}/`)
  if (!isScript || !(await mayActOn(request, 'run', scripts, Number(object.id)))) return undefined
  const [task] = await database.query<{ title: string | null; parameters: string | null }>(sql`
    select s.options ->> 'title' as title, k.parameters from ${table(SYSTEM.job)} j
    join ${table(SYSTEM.script)} s on s.id = j.object_id left join ${table(SYSTEM.jobTask)} k on k.job_id = j.id
    where j.id = ${Number(id)}::bigint`)
  const parameters: Json = JSON.parse(task?.parameters ?? 'null')
  const { data = null, commit = true } = isJsonObject(parameters) ? parameters : {}
  // What somebody else has entered may be confidential.
  const { actor } = request
  const isOwn = actor.kind === 'user' && (actor.isSuperuser || (isJsonObject(user) && user.id === actor.id))
  const entered = isOwn && isJsonObject(data) ? Object.entries(data) : []
  const input = entered.filter(([, value]) => value !== null && value !== '' && !isJsonObject(value))
  const texts = input.flatMap(([name, value]) => textsOf(value).map((text): [string, string] => [name, text]))
  const page = `${settings.basePath}${pagePathOf(scripts)}${Number(object.id)}/run/`
  const name = task?.title ?? String(object.name ?? object.display)
  return {
    content: attributesPanel(translateLabel('Script'), [
      { label: translateLabel('Name'), value: html`<a href="${page}"><bdi>${name}</bdi></a>` },
      ...(commit === false ? [{ label: translate('Dry run'), value: translate('Yes') }] : []),
      ...input.map(([label, value]) => ({ label, value: html`<bdi>${textsOf(value).join(', ')}</bdi>` })),
    ]),
    again: html`<a class="button" href="${page}?${new URLSearchParams(texts).toString()}">${translate('Run again')}</a>`,
  }
}

/** The texts of an input of a form. */
const textsOf = (value: Json): readonly string[] => (Array.isArray(value) ? value.flatMap(textsOf) : [String(value)])

/** The tests of a report, and their messages by level. */
function summaryOf(tests: JsonObject): string {
  const counts = new Map<string, number>()
  for (const test of Object.values(tests))
    for (const [level, count] of Object.entries(isJsonObject(test) ? test : {}))
      if (typeof count === 'number') counts.set(level, (counts.get(level) ?? 0) + count)
  const number = Object.keys(tests).length
  return [
    translate('{count} test|{count} tests', { count: number }),
    ...[...counts].map(([level, count]) => `${levelLabel(level)}: ${count}`),
  ].join(' · ')
}

/** The messages of a job, in their order. */
export const logTab: ObjectTab = {
  models: ({ fields }) => fields.has('log_entries'),
  path: 'log',
  label: () => translate('Log'),
  load: async ({ object }) => ({ content: logTable(object.log_entries) }),
}

/** The messages of a job as a table. `label`: its name, if the page has several. */
function logTable(entries: Json | undefined, label = translate('Log')): Content {
  const list = Array.isArray(entries) ? entries.filter((entry) => isJsonObject(entry)) : []
  if (list.length === 0) return html`<p class="notice">${translate('The log is empty.')}</p>`
  const hasObjects = list.some(({ obj }) => typeof obj === 'string')
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${label}"><table><thead><tr><th scope="col">${translate('Time')}</th><th scope="col">${translate('Level')}</th>${hasObjects && html`<th scope="col">${translate('Object')}</th>`}<th scope="col">${translate('Message')}</th></tr></thead>
<tbody>${list.map(
    ({ timestamp, time, level, status, message, obj = null, url = null }) =>
      html`<tr><td>${timestampDisplay(String(timestamp ?? time ?? ''))}</td><td>${levelLabel(String(level ?? status ?? ''))}</td>${hasObjects && html`<td dir="auto">${objectLink(obj, url)}</td>`}<td dir="auto">${status === undefined ? String(message ?? '') : markdownOf(String(message ?? ''))}</td></tr>`,
  )}</tbody></table></div>`
}

const objectLink = (obj: Json, url: Json): Content =>
  typeof obj === 'string' &&
  (typeof url === 'string' && /^\/(?!\/)/.test(url) ? html`<a href="${url}">${obj}</a>` : obj)

/** A message of a script, which may be Markdown; a plain one stays a line of text. */
const markdownOf = (message: string): Content =>
  /[\n*_`#<[]|https?:/.test(message) ? renderedMarkdown(message) : message

/** The counts and messages of each test of a report. */
function testPanels(tests: JsonObject): readonly Content[] {
  return Object.entries(tests).map(([name, test]) => {
    const { log = [], ...counts } = isJsonObject(test) ? test : {}
    const entries = (Array.isArray(log) ? (log as readonly Json[]) : []).map((entry) => {
      const [time = null, status = null, obj = null, url = null, message = null] = Array.isArray(entry) ? entry : []
      return { time, status, obj, url, message }
    })
    const sums = Object.entries(counts).map(([level, count]) => `${levelLabel(level)}: ${String(count)}`)
    return panel(name, html`<p>${sums.join(' · ')}</p>${entries.length > 0 && logTable(entries, name)}`)
  })
}

/** The label of a level such as `success`. */
const levelLabel = (level: string): string => translateLabel(level.charAt(0).toUpperCase() + level.slice(1))

const statusOf = ({ status }: JsonObject): string => (isJsonObject(status) ? String(status.value) : String(status))

const textOf = (output: Json): string => (typeof output === 'string' ? output : JSON.stringify(output, null, 2))

function jobNotice({ actor, csrfToken, service }: ApiRequest, { id }: JsonObject): Content {
  const page = `${service.settings.basePath}${pagePathOf(service.registry.model(SYSTEM.job))}${id}/`
  const mayStop = actor.kind === 'user' && actor.isSuperuser
  return html`<div class="notice" data-job="${String(id)}"><p>${translate('This page is updated until the job has finished.')}</p>
${mayStop && html`<form class="inline" method="post" action="${page}stop/">${csrfField(csrfToken)}<button class="quiet danger">${translate('Stop the job')}</button></form>`}</div>`
}

/** POST of `…/<id>/stop/`: stops a running job, or removes a waiting one from the queue. */
const stopJobPage =
  (routes: ApiRoutes): ModelPage =>
  async (request, model) => {
    const { actor, service } = request
    const { object } = await readOne(request, model)
    const page = `${service.settings.basePath}${pagePathOf(model)}${object.id}/`
    if (request.method !== 'POST' || !OPEN.has(statusOf(object))) return seeOther(page)
    if (actor.kind !== 'user' || !actor.isSuperuser) throw forbidden()
    const action = statusOf(object) === 'running' ? 'stop' : 'delete'
    const path = `core/background-tasks/${object.job_id}/${action}/`
    await askApi(routes, request, { path, method: 'POST', body: {} })
    return seeOther(withEffect(page, 'stopped'))
  }
