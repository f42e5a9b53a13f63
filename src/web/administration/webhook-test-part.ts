import type { ApiRequest } from '../../api/api-request.ts'
import { ID } from '../../api/routes.ts'
import { sendTest } from '../../automation/webhooks/attempt.ts'
import type { DeliveredEvent } from '../../automation/webhooks/webhook-request.ts'
import { currentTimestamp } from '../../base/clock.ts'
import { ApiError, forbidden } from '../../base/errors.ts'
import { requireUser } from '../../identity/require-user.ts'
import { isJsonObject, type JsonObject } from '../../schema/json.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import type { Model, Registry } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { csrfField } from '../components/csrf-field.ts'
import { attributesPanel } from '../components/panel.ts'
import { EMPTY } from '../components/value.ts'
import { type ApiRoutes, askApi, jsonOf } from '../data/ask-api.ts'
import { mayActOn, readOne } from '../data/page-objects.ts'
import type { ObjectPart } from '../frame/object-content.ts'
import { objectHeading } from '../frame/object-heading.ts'
import type { ModelPage } from '../frame/page-endpoint.ts'
import { seeOther } from '../frame/page-response.ts'
import { html } from '../html.ts'
import { codeBlock } from '../object-parts/code-block.ts'
import { translate, translateLabel } from '../texts/translate.ts'

const PATH = 'test'

/** The button of a webhook that sends an event at once and shows the receiver's response. */
export const webhookTestPart: ObjectPart = {
  models: [SYSTEM.webhook],
  pages: (routes) => [[`${ID}/${PATH}/`, 'GET POST', testPage(routes)]],
  load: async ({ request, model, object }) => {
    if (!(await mayActOn(request, 'change', model, Number(object.id)))) return {}
    const path = `${request.service.settings.basePath}${pagePathOf(model)}${object.id}/${PATH}/`
    return {
      actions: html`<form class="inline" method="post" action="${path}">${csrfField(request.csrfToken)}<button class="quiet">${translate('Send test')}</button></form>`,
    }
  },
}

/** POST of `…/<id>/test/`: sends the event of an object that the sender may view, and shows what came of it. */
const testPage =
  (routes: ApiRoutes): ModelPage =>
  async (request, model) => {
    const id = Number(request.parameters[0])
    const { object } = await readOne(request, model)
    const page = `${request.service.settings.basePath}${pagePathOf(model)}${id}/`
    if (request.method !== 'POST') return seeOther(page)
    if (!(await mayActOn(request, 'change', model, id))) throw forbidden()
    const event = await sampleEvent(routes, request, id)
    const attempt = await sendTest(request.service, id, event, request.signal())
    const title = translate('Test of {name}', { name: String(object.display) })
    return {
      title,
      model,
      styles: ['objects.css', 'object.css'],
      scripts: ['object.client.ts'],
      body: html`${objectHeading({ request, model, object })}
<p>${translate('This is what a delivery of an event looks like. A test is sent once; it is not stored and not repeated.')}</p>
${
  attempt &&
  attributesPanel(translate('Response'), [
    { label: translateLabel('Status'), value: attempt.status === null ? EMPTY : String(attempt.status) },
    { label: translate('Duration (ms)'), value: String(attempt.duration) },
    { label: translate('Error'), value: attempt.error ?? EMPTY },
    { label: translate('Content'), value: attempt.response ? codeBlock(attempt.response) : EMPTY },
  ])
}
${attempt?.request ? html`<section class="card panel"><h2>${translate('Request')}</h2>${codeBlock(JSON.stringify(attempt.request, null, 2))}</section>` : ''}
<p><a class="button" href="${page}">${translate('Back')}</a></p>`,
    }
  }

/** A change of the newest object of a type that the webhook is for, as far as the sender may view one. */
async function sampleEvent(routes: ApiRoutes, request: ApiRequest, webhook: number): Promise<DeliveredEvent> {
  const { service, id } = request
  const rule = await firstOf(routes, request, service.registry.model(SYSTEM.eventRule), {
    action_object_type: SYSTEM.webhook,
    action_object_id: String(webhook),
  })
  const model = typesOf(service.registry, rule)[0] ?? service.registry.model(SYSTEM.user)
  const data = JSON.stringify((await firstOf(routes, request, model, { ordering: '-last_updated' })) ?? EXAMPLE)
  return {
    event: 'object_updated',
    timestamp: currentTimestamp(service.clock),
    objectType: model.name,
    username: requireUser(request).username,
    requestId: id,
    data,
    request: null,
    snapshots: `{"prechange":${data},"postchange":${data}}`,
    date: null,
    actionData: null,
  }
}

const EXAMPLE: JsonObject = { id: 1, display: 'Example', name: 'Example' }

const typesOf = ({ models }: Registry, rule: JsonObject | undefined): readonly Model[] =>
  (Array.isArray(rule?.object_types) ? rule.object_types : [])
    .flatMap((name) => models.get(String(name)) ?? [])
    .filter(({ path }) => path !== '')

/** The first object of a list of the API; undefined if the sender may view none. */
async function firstOf(
  routes: ApiRoutes,
  request: ApiRequest,
  { path }: Model,
  filters: Readonly<Record<string, string>>,
): Promise<JsonObject | undefined> {
  try {
    const query = new URLSearchParams({ ...filters, limit: '1' })
    const list = jsonOf(await askApi(routes, request, { path: `${path}/`, query }))
    const first = isJsonObject(list) && Array.isArray(list.results) ? list.results[0] : undefined
    return isJsonObject(first) ? first : undefined
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
}
