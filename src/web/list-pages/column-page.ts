import { changePreferences } from '../../api/actions/users/config.ts'
import type { ApiRequest } from '../../api/api-request.ts'
import { bodyText, wholeResponse } from '../../api/response.ts'
import type { FormValues } from '../../api/transport/body.ts'
import { createFrom } from '../../api/verbs/create.ts'
import { ApiError } from '../../base/errors.ts'
import { mayAct } from '../../identity/permitted-rows.ts'
import { requireUser } from '../../identity/require-user.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import type { Model } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { csrfField } from '../components/csrf-field.ts'
import { shownPlural } from '../components/model-title.ts'
import { sending } from '../data/inner-request.ts'
import { textIn, textsIn } from '../forms/form-texts.ts'
import { type PageResponse, sentenceOf } from '../frame/page-frame.ts'
import { seeOther } from '../frame/page-response.ts'
import { type Content, type Html, html } from '../html.ts'
import { type ListColumn, selectableColumns, usableColumns } from '../lists/columns.ts'
import { listPreferences, listTableName } from '../lists/list-preferences.ts'
import { changedQuery } from '../lists/list-query.ts'
import { translate } from '../texts/translate.ts'

/** GET and POST of `…/columns/`: the columns of the user's list, and table configs for other users. */
export async function columnPage(request: ApiRequest, model: Model): Promise<PageResponse> {
  const user = requireUser(request)
  const { service } = request
  const form = request.method === 'POST' ? await request.body.form() : undefined
  const query = form ? textIn(form, 'query') : request.search.toString()
  if (!form) {
    const { columns } = await listPreferences(request, model)
    return await chooser(request, model, { chosen: columns, order: columns, query })
  }
  const order = movedOrder(form)
  const checked = new Set(textsIn(form, 'column'))
  const chosen = usableColumns(
    service.registry,
    model,
    order.filter((name) => checked.has(name)),
  )
  const task = textIn(form, 'do')
  const state = { chosen, order, query, name: textIn(form, 'name') }
  const list = `${service.settings.basePath}${pagePathOf(model)}`
  const back = (changes: Readonly<Record<string, string | undefined>>) =>
    seeOther(`${list}${changedQuery(new URLSearchParams(query), changes)}`)
  if (task === 'save' || task === 'reset') {
    if (task === 'save' && chosen.length === 0) {
      return await chooser(request, model, {
        ...state,
        error: translate('Check at least one column.'),
      })
    }
    const columns = task === 'save' ? chosen : []
    await changePreferences(service, user.id, { tables: { [listTableName(model)]: { columns } } })
    return back({ tableconfig_id: undefined })
  }
  if (task !== 'store') return await chooser(request, model, state)
  try {
    return back({ tableconfig_id: await stored(request, model, form, chosen) })
  } catch (error) {
    if (!(error instanceof ApiError) || error.reason.kind !== 'invalid') throw error
    return await chooser(request, model, { ...state, error: sentenceOf(error) })
  }
}

interface Shown {
  readonly chosen: readonly string[]
  readonly order: readonly string[]
  readonly query: string
  readonly name?: string
  readonly error?: string
}

/** The order of the form's columns, after the move that one of its buttons asks for. */
function movedOrder(form: FormValues): readonly string[] {
  const order = [...textsIn(form, 'order')]
  const move = (name: string, by: number): void => {
    const from = order.indexOf(name)
    const to = from + by
    if (from < 0 || to < 0 || to >= order.length) return
    order.splice(to, 0, ...order.splice(from, 1))
  }
  move(textIn(form, 'up'), -1)
  move(textIn(form, 'down'), 1)
  return order
}

/** Stores the columns as a table config and returns its id. */
async function stored(
  request: ApiRequest,
  model: Model,
  form: FormValues,
  columns: readonly string[],
): Promise<string> {
  const body = {
    object_type: model.name,
    table: listTableName(model),
    name: textIn(form, 'name'),
    shared: textIn(form, 'shared') === 'true',
    user: requireUser(request).id,
    columns: [...columns],
  }
  const config = request.service.registry.model(SYSTEM.tableConfig)
  const response = await createFrom(sending(request, 'POST', body), config, body)
  const { id } = JSON.parse(bodyText(await wholeResponse(response))) as { id: number } // the new object
  return String(id)
}

async function chooser(
  request: ApiRequest,
  model: Model,
  { chosen, order, query, name = '', error }: Shown,
): Promise<PageResponse> {
  const { service, actor, csrfToken } = request
  const { basePath } = service.settings
  const list = pagePathOf(model) ?? '/'
  const all = await selectableColumns(request, model)
  const byName = new Map(all.map((column) => [column.name, column]))
  const names = new Set([...order, ...byName.keys()])
  const columns = [...names].flatMap((name) => byName.get(name) ?? [])
  const config = service.registry.model(SYSTEM.tableConfig)
  const title = translate('Columns of {objects}', { objects: shownPlural(model) })
  return {
    title,
    model,
    status: error === undefined ? 200 : 400,
    styles: ['objects.css', 'lists.css'],
    scripts: ['columns.client.ts'],
    breadcrumbs: [
      { label: shownPlural(model), path: list },
      { label: translate('Columns'), path: `${list}columns/` },
    ],
    // The order of the check boxes in the form is the order of the columns.
    body: html`<div class="heading"><h1>${title}</h1></div><form class="card columns-form" method="post" action="${request.url.pathname}">
${csrfField(csrfToken)}<input type="hidden" name="query" value="${query}">
${error !== undefined && html`<p class="notice bad" role="alert">${error}</p>`}
<p>${translate('Checked columns are shown, in this order.')}</p>
<ol class="sortable">${columns.map((column) => columnRow(column, chosen.includes(column.name)))}</ol>
<div class="buttons sticky"><button name="do" value="save">${translate('Save')}</button><button class="quiet" name="do" value="reset">${translate('Reset')}</button><a class="button quiet" href="${basePath}${list}?${query}">${translate('Cancel')}</a></div>
${mayAct(actor, 'add', config, service.settings) && shareFields(name)}
</form>`,
  }
}

const columnRow = ({ name, label }: ListColumn, isChosen: boolean): Html =>
  html`<li><label><input type="checkbox" name="column" value="${name}"${isChosen && html` checked`}> <span>${label}</span></label><span class="moves"><button class="quiet" name="up" value="${name}" aria-label="${translate('Move {column} up', { column: label })}">↑</button><button class="quiet" name="down" value="${name}" aria-label="${translate('Move {column} down', { column: label })}">↓</button></span><input type="hidden" name="order" value="${name}"></li>\n`

const shareFields = (name: string): Content =>
  html`<fieldset><legend>${translate('Store as a table config')}</legend>
<div class="field"><label for="config-name">${translate('Name')}</label><input id="config-name" name="name" value="${name}" maxlength="100" autocomplete="off"></div>
<label><input type="checkbox" name="shared" value="true" checked> ${translate('Other users can use it')}</label>
<div class="buttons"><button class="quiet" name="do" value="store">${translate('Store')}</button></div></fieldset>`
