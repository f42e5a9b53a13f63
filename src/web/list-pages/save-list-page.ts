import type { ApiRequest } from '../../api/api-request.ts'
import { bodyText, wholeResponse } from '../../api/response.ts'
import { createFrom } from '../../api/verbs/create.ts'
import { ApiError } from '../../base/errors.ts'
import { mayAct, requirePermission } from '../../identity/permitted-rows.ts'
import { requireUser } from '../../identity/require-user.ts'
import type { JsonObject } from '../../schema/json.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import type { Model } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { csrfField } from '../components/csrf-field.ts'
import { columnLabel } from '../components/field-label.ts'
import { countedNoun, shownPlural } from '../components/model-title.ts'
import { asking, sending } from '../data/inner-request.ts'
import { readList } from '../data/page-objects.ts'
import { VIEW } from '../data/saved-views.ts'
import { textIn, textsIn } from '../forms/form-texts.ts'
import { slugOf } from '../forms/slug.client.ts'
import { type PageResponse, sentenceOf } from '../frame/page-frame.ts'
import { seeOther } from '../frame/page-response.ts'
import { type Content, type Html, html } from '../html.ts'
import { conditionChips } from '../lists/filter-form.ts'
import { GROUP_BY } from '../lists/grouping.ts'
import { listPreferences } from '../lists/list-preferences.ts'
import { filtersIn } from '../lists/list-query.ts'
import { type Text, translate } from '../texts/translate.ts'

/** What the list shows now, under a name. */
interface Saving {
  readonly model: string
  readonly title: Text
  /** What is saved, besides its conditions, and for whom. */
  readonly details: (request: ApiRequest, model: Model, query: URLSearchParams) => Promise<Content>
  readonly body: (request: ApiRequest, model: Model, entered: Entered) => Promise<JsonObject>
  /** Query of the list that shows the new object. */
  readonly query: (body: JsonObject, id: number, query: URLSearchParams) => URLSearchParams
}

interface Entered {
  readonly name: string
  readonly query: URLSearchParams
  readonly audience: string
  readonly groups: readonly number[]
}

/** The values of the query by parameter, as filters are stored. */
const parametersIn = (query: URLSearchParams): JsonObject =>
  Object.fromEntries([...new Set(query.keys())].map((name) => [name, query.getAll(name)]))

/** Filters, order and groups of a list. */
function viewedIn(query: URLSearchParams): URLSearchParams {
  const viewed = filtersIn(query)
  for (const name of ['ordering', GROUP_BY]) for (const value of query.getAll(name)) viewed.append(name, value)
  return viewed
}

const VIEW_OF_LIST: Saving = {
  model: SYSTEM.savedView,
  title: 'Save this view',
  details: async (request, model, query) => {
    const { columns } = await listPreferences(asking(request, query), model)
    const labels = columns.map((name) => columnLabel(request.service.registry, model, name))
    return html`<p class="muted">${translate('Columns: {columns}', { columns: labels.join(', ') })}</p>${await audienceFields(request)}`
  },
  body: async (request, model, { name, query, audience, groups }) => ({
    ...{ name, object_type: model.name, user: requireUser(request).id },
    parameters: parametersIn(viewedIn(query)),
    columns: [...(await listPreferences(asking(request, query), model)).columns],
    shared: audience === 'everyone',
    groups: audience === 'groups' ? [...groups] : [],
  }),
  query: (_, id, query) => {
    const viewed = viewedIn(query)
    viewed.set(VIEW, String(id))
    return viewed
  },
}

const GROUP_OF_LIST: Saving = {
  model: SYSTEM.dynamicGroup,
  title: 'Save as dynamic group',
  details: async (request, model, query) => {
    const window = new URLSearchParams(filtersIn(query))
    window.set('limit', '1')
    const { count } = await readList(request, model, { query: window, paths: ['id'] })
    return html`<p>${translate('{count} {objects} now, and all that match in future.', { count, objects: countedNoun(model, count) })}</p>`
  },
  body: async (_, model, { name, query }) => ({
    ...{ name, slug: slugOf(name), object_type: model.name },
    parameters: parametersIn(filtersIn(query)),
  }),
  query: ({ slug }) => new URLSearchParams({ dynamic_group: String(slug) }),
}

/** Maximum number of groups that are offered. */
const MOST_GROUPS = 50

/** For whom a view is: for its author, for groups, or for everyone. */
async function audienceFields(request: ApiRequest): Promise<Html> {
  const model = request.service.registry.model(SYSTEM.group)
  const mayView = mayAct(request.actor, 'view', model, request.service.settings)
  const query = new URLSearchParams({ limit: String(MOST_GROUPS) })
  const groups = mayView ? (await readList(request, model, { query, paths: ['id', 'name'], count: null })).objects : []
  const choice = (value: string, label: Text, isChecked = false): Html =>
    html`<label><input type="radio" name="audience" value="${value}"${isChecked && html` checked`}> ${translate(label)}</label>`
  return html`<fieldset class="audience"><legend>${translate('For')}</legend>${choice('me', 'Only me', true)}${groups.length > 0 && choice('groups', 'Groups')}${choice('everyone', 'Everyone')}
${groups.length > 0 && html`<div class="of-groups">${groups.map(({ id, name }) => html`<label><input type="checkbox" name="group" value="${Number(id)}"> <bdi>${String(name)}</bdi></label>`)}</div>`}</fieldset>`
}

const savingPage =
  (saving: Saving) =>
  async (request: ApiRequest, model: Model): Promise<PageResponse> => {
    const { service } = request
    const target = service.registry.model(saving.model)
    requireUser(request)
    requirePermission(request.actor, 'add', target, service.settings)
    const form = request.method === 'POST' ? await request.body.form() : undefined
    if (!form) return await panelPage(request, model, saving, { query: request.search })
    const entered = {
      name: textIn(form, 'name').trim(),
      query: new URLSearchParams(textIn(form, 'query')),
      audience: textIn(form, 'audience'),
      groups: textsIn(form, 'group').map(Number),
    }
    try {
      const body = await saving.body(request, model, entered)
      const response = await createFrom(sending(request, 'POST', body), target, body)
      const { id } = JSON.parse(bodyText(await wholeResponse(response))) as { id: number } // the new object
      const query = saving.query(body, id, entered.query)
      return seeOther(`${service.settings.basePath}${pagePathOf(model)}?${query}`)
    } catch (error) {
      if (!(error instanceof ApiError) || error.reason.kind !== 'invalid') throw error
      return await panelPage(request, model, saving, { ...entered, error: sentenceOf(error) })
    }
  }

interface Shown {
  readonly query: URLSearchParams
  readonly name?: string
  readonly error?: string
}

async function panelPage(
  request: ApiRequest,
  model: Model,
  saving: Saving,
  { query, name = '', error }: Shown,
): Promise<PageResponse> {
  const list = pagePathOf(model) ?? '/'
  const title = translate(saving.title)
  const address = `${request.service.settings.basePath}${list}?${query}`
  return {
    title,
    model,
    status: error === undefined ? 200 : 400,
    styles: ['inputs.css', 'objects.css', 'lists.css'],
    breadcrumbs: [
      { label: shownPlural(model), path: list },
      { label: title, path: request.url.pathname },
    ],
    body: html`<div class="heading"><h1>${title}</h1></div><form class="card saving" method="post" action="${request.url.pathname}">
${csrfField(request.csrfToken)}<input type="hidden" name="query" value="${query.toString()}">
${error !== undefined && html`<p class="notice bad" role="alert">${translate('Not saved.')} ${error}</p>`}
${await conditionChips(asking(request, query), model)}
<div class="field"><label for="saved-name">${translate('Name')}</label><input id="saved-name" name="name" value="${name}" maxlength="100" required autocomplete="off"></div>
${await saving.details(request, model, query)}
<div class="buttons"><button>${translate('Save')}</button><a class="button quiet" href="${address}">${translate('Cancel')}</a></div></form>`,
  }
}

/** Paths of the pages, below that of a list. */
export const SAVE_VIEW = 'save-view/'
export const SAVE_GROUP = 'save-group/'

/** GET and POST of `…/save-view/`: what the list shows now, under a name, for one person, for groups, or for everyone. */
export const saveViewPage = savingPage(VIEW_OF_LIST)

/** GET and POST of `…/save-group/`: the filters of the list as a dynamic group. */
export const saveGroupPage = savingPage(GROUP_OF_LIST)
