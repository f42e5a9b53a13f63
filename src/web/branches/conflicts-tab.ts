import type { ApiRequest } from '../../api/api-request.ts'
import { ApiError } from '../../base/errors.ts'
import { OPEN } from '../../db/branches/branch-database.ts'
import { mayAct } from '../../identity/permitted-rows.ts'
import { type Branch, branchService } from '../../read/branches/branch-service.ts'
import { isJsonObject, type Json, type JsonObject } from '../../schema/json.ts'
import { oncePer } from '../../schema/once-per.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { csrfField } from '../components/csrf-field.ts'
import { fieldLabel } from '../components/field-label.ts'
import { shownTitle } from '../components/model-title.ts'
import { timestampDisplay } from '../components/value.ts'
import { askApi, jsonOf } from '../data/ask-api.ts'
import { mayActOn, readList } from '../data/page-objects.ts'
import { textIn } from '../forms/form-texts.ts'
import type { ObjectTab, PageObject } from '../frame/object-content.ts'
import { seeOther } from '../frame/page-response.ts'
import { withEffect } from '../frame/saved-notice.ts'
import { type Content, type Html, html } from '../html.ts'
import { recordedValues } from '../object-parts/change-values.ts'
import { translate, translateMarkup } from '../texts/translate.ts'
import { branchButtons, countConflicts, problemOf } from './branch-buttons.ts'
import { branchOf } from './net-changes.ts'

/** A conflict as the API lists it. */
interface Conflict {
  readonly type: string
  readonly id: number
  readonly name: string
  /** Null for the object as a whole. */
  readonly field: string | null
  readonly detail: string
  /** Both have changed the field, so that there are two values to compare. */
  readonly hasValues: boolean
  /** A rule refuses the version of the branch, so that only main's can be kept. */
  readonly isRefused: boolean
  readonly values: Readonly<Record<'base' | 'main' | 'branch', Json>>
}

export interface Conflicts {
  readonly visible: readonly Conflict[]
  /** Number of conflicts of objects that the reader may not view. */
  readonly hidden: number
}

/** The undecided conflicts of the branch and what rules would refuse; a page needs them more than once. */
export const conflictsOf = oncePer(async ({ routes, request, object }: PageObject): Promise<Conflicts> => {
  if (!isOpen(object)) return { visible: [], hidden: 0 }
  const document = jsonOf(await askApi(routes, request, { path: `core/branches/${Number(object.id)}/conflicts/` }))
  const { results, hidden } = isJsonObject(document) ? document : {}
  const listed = Array.isArray(results) ? results.filter((result) => isJsonObject(result)) : []
  return { visible: listed.map(conflictOf), hidden: Number(hidden ?? 0) }
})

const conflictOf = (object: JsonObject): Conflict => ({
  type: String(object.object_type),
  id: Number(object.object_id),
  name: String(object.object_repr),
  field: typeof object.field === 'string' ? object.field : null,
  detail: String(object.detail),
  hasValues: object.reason === 'changed',
  isRefused: object.reason === 'refused',
  values: { base: object.base ?? null, main: object.main ?? null, branch: object.branch ?? null },
})

/**
 * Fields that main and the branch have changed in different ways: their values side by side, and the choice of which
 * one to keep.
 */
export const conflictsTab: ObjectTab = {
  models: [SYSTEM.branch],
  path: 'conflicts',
  label: () => translate('Conflicts'),
  count: async (page) => {
    // The tab itself lists all of them.
    if (!page.request.url.pathname.endsWith('/conflicts/')) return await countConflicts(page)
    const { visible, hidden } = await conflictsOf(page)
    return visible.length + hidden
  },
  methods: 'GET POST',
  load: async (page) => {
    const { request, object } = page
    const conflicts = await conflictsOf(page)
    if (request.method === 'POST') {
      await decide(page, conflicts)
      return seeOther(withEffect(request.url.pathname, 'decided'))
    }
    return {
      actions: await branchButtons(page, await problemOf(request, branchOf(object))),
      content: await conflictsContent(page, conflicts),
      styles: ['branches.css'],
    }
  },
}

const isOpen = ({ status }: JsonObject): boolean => isJsonObject(status) && status.value === OPEN

const KEEP = 'keep'
const ALL = 'all'

/** Sends the decision of the pressed button: for one conflict, or for all conflicts on the page. */
async function decide({ routes, request, object }: PageObject, { visible }: Conflicts): Promise<void> {
  const form = (await request.body.form()) ?? new Map()
  const [keep = '', which = ''] = textIn(form, KEEP).split(' ')
  const decided = visible.filter(
    (conflict) => (which === ALL || keyOf(conflict) === which) && !(keep === 'mine' && conflict.isRefused),
  )
  const body = decided.map(({ type, id, field }) => ({ object_type: type, object_id: id, field, keep }))
  if (body.length === 0) {
    const detail = translate('This conflict has already been resolved.')
    throw new ApiError({ kind: 'malformed', detail })
  }
  await askApi(routes, request, { path: `core/branches/${Number(object.id)}/conflicts/`, method: 'POST', body })
}

const keyOf = ({ type, id, field }: Conflict): string => [type, id, field ?? ''].join(':')

async function conflictsContent(page: PageObject, { visible, hidden }: Conflicts): Promise<Content> {
  const { request, model, object } = page
  const more =
    hidden > 0 &&
    html`<p class="notice warn">${translate('{count} more conflict concerns an object that you may not view.|{count} more conflicts concern objects that you may not view.', { count: hidden })}</p>`
  if (visible.length === 0)
    return html`${more}${hidden === 0 && html`<p class="notice">${translate('There are no conflicts to resolve.')}</p>`}`
  const mayDecide = request.csrfToken !== undefined && (await mayActOn(request, 'change', model, Number(object.id)))
  const [show, authorOf] = await Promise.all([
    valuesOf(request, branchOf(object), visible),
    authorsOn(request, visible),
  ])
  const hasMine = visible.some(({ isRefused }) => !isRefused)
  const buttons = (which: string, offersMine: boolean): Html =>
    html`${offersMine && html`<button class="quiet" name="${KEEP}" value="mine ${which}">${which === ALL ? translate('Use all of the branch’s values') : translate('Use the branch’s value')}</button>`}<button class="quiet" name="${KEEP}" value="theirs ${which}">${which === ALL ? translate('Use all of main’s values') : translate('Use main’s value')}</button>`
  return html`${more}<p>${translate('Main and the branch have changed the same fields. Decide which values to keep; then the branch can be synchronised and merged.')}</p>
<form method="post" action="${request.url.pathname}">${csrfField(request.csrfToken)}
${mayDecide && visible.length > 1 && html`<p class="buttons">${buttons(ALL, hasMine)}</p>`}
<div class="scroll" tabindex="0" role="region" aria-label="${translate('Conflicts')}"><table class="diff conflicts"><thead><tr><th scope="col">${translate('Object')}</th><th scope="col">${translate('Field')}</th><th scope="col">${translate('Before')}</th><th scope="col">${translate('On main')}</th><th scope="col">${translate('In the branch')}</th>${mayDecide && html`<th scope="col">${translate('Keep')}</th>`}</tr></thead>
<tbody>${visible.map((conflict) => {
    const author = authorOf(conflict)
    const label = `${conflict.name}${conflict.field === null ? '' : `, ${labelOf(request, conflict)}`}`
    return html`<tr><th scope="row">${linkTo(request, conflict)}</th>${
      !conflict.hasValues
        ? html`<td colspan="3">${conflict.detail}${author}</td><td></td>`
        : html`<td>${labelOf(request, conflict)}</td><td data-label="${translate('Before')}">${show(conflict, 'base')}</td><td class="before" data-label="${translate('On main')}">${show(conflict, 'main')}${author}</td><td class="after" data-label="${translate('In the branch')}">${show(conflict, 'branch')}</td>`
    }${mayDecide && html`<td><div class="buttons" role="group" aria-label="${label}">${buttons(keyOf(conflict), !conflict.isRefused)}</div></td>`}</tr>`
  })}</tbody></table></div></form>`
}

function labelOf({ service: { registry } }: ApiRequest, { type, field }: Conflict): string {
  const model = registry.models.get(type)
  return model && field !== null ? fieldLabel(registry, model, field) : (field ?? '')
}

function linkTo({ service: { registry, settings } }: ApiRequest, { type, id, name }: Conflict): Html {
  const model = registry.models.get(type)
  const root = model && pagePathOf(model)
  const kind = html`<span class="muted">${model ? shownTitle(model) : type}</span>`
  return root === undefined
    ? html`${kind} <bdi>${name}</bdi>`
    : html`${kind} <a href="${settings.basePath}${root}${id}/"><bdi>${name}</bdi></a>`
}

/** Shows the values of the conflicts with the names of objects: some objects may exist only in the branch. */
async function valuesOf(request: ApiRequest, branch: Branch, conflicts: readonly Conflict[]) {
  const { registry } = request.service
  const inBranch = { ...request, service: branchService(request.service, branch) }
  const recorded = ({ type, field, values }: Conflict, side: keyof Conflict['values']) => ({
    field: registry.models.get(type)?.fields.get(field ?? ''),
    value: values[side],
  })
  const all = conflicts.flatMap((conflict) =>
    (['base', 'main', 'branch'] as const).map((side) => recorded(conflict, side)),
  )
  const [ofMain, ofBranch] = await Promise.all([recordedValues(request, all), recordedValues(inBranch, all)])
  return (conflict: Conflict, side: keyof Conflict['values']): Content =>
    (side === 'branch' ? ofBranch : ofMain).show(recorded(conflict, side))
}

/** Maximum number of records searched for the changes on main. */
const MOST_RECORDS = 500

/** Who changed the field on main last, and when, if the reader may view the change log. */
async function authorsOn(
  request: ApiRequest,
  conflicts: readonly Conflict[],
): Promise<(conflict: Conflict) => Content> {
  const { service, actor } = request
  const { registry, settings } = service
  const record = registry.model(SYSTEM.objectChange)
  if (!mayAct(actor, 'view', record, settings)) return () => undefined
  const query = new URLSearchParams({ ordering: '-time', limit: String(MOST_RECORDS) })
  for (const id of new Set(conflicts.map((conflict) => conflict.id))) query.append('changed_object_id', String(id))
  const { objects } = await readList(request, record, { query })
  return ({ type, id, field }) => {
    const change = objects.find(
      (object) =>
        object.changed_object_type === type &&
        Number(object.changed_object_id) === id &&
        (field === null || hasChanged(object, field)),
    )
    return (
      change &&
      html`<small class="muted">${translateMarkup('by {user}, {time}', {
        user: html`<bdi>${String(change.user_name)}</bdi>`,
        time: html`<a href="${settings.basePath}${pagePathOf(record)}${Number(change.id)}/">${timestampDisplay(String(change.time))}</a>`,
      })}</small>`
    )
  }
}

function hasChanged({ prechange_data: before, postchange_data: after }: JsonObject, field: string): boolean {
  const valueIn = (data: Json | undefined): string => JSON.stringify(isJsonObject(data) ? (data[field] ?? null) : null)
  return valueIn(before) !== valueIn(after)
}
