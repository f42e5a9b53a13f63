import type { ApiRequest } from '../../api/api-request.ts'
import { errorResponse } from '../../api/errors.ts'
import { ID } from '../../api/routes.ts'
import { ApiError } from '../../base/errors.ts'
import { changedObjects } from '../../changes/branches/branch-changes.ts'
import { rowsBehind } from '../../changes/branches/overlay-rows.ts'
import { OPEN } from '../../db/branches/branch-database.ts'
import type { Branch } from '../../read/branches/branch-service.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import type { Model } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { type Control, controlField } from '../components/control.ts'
import { csrfField } from '../components/csrf-field.ts'
import type { FurtherColumns } from '../components/further-columns.ts'
import { shownPlural, shownTitle } from '../components/model-title.ts'
import { panel } from '../components/panel.ts'
import { timestampDisplay } from '../components/value.ts'
import { type ApiRoutes, askApi } from '../data/ask-api.ts'
import { readOne } from '../data/page-objects.ts'
import { bodyOfForm } from '../forms/form-body.ts'
import { withParameters } from '../forms/return-path.ts'
import type { ObjectPart, PageObject } from '../frame/object-content.ts'
import { choiceCookie } from '../frame/page-branch.ts'
import type { ModelPage } from '../frame/page-endpoint.ts'
import { sentenceOf } from '../frame/page-frame.ts'
import { seeOther } from '../frame/page-response.ts'
import { noticeParameters } from '../frame/saved-notice.ts'
import { type Content, type Html, html } from '../html.ts'
import { translate, translateMarkup } from '../texts/translate.ts'
import {
  ACTIONS,
  type ActionName,
  addressOf,
  type BranchAction,
  branchButtons,
  countConflicts,
  mayPerform,
  NAMES,
  problemOf,
} from './branch-buttons.ts'
import { conflictsOf } from './conflicts-tab.ts'
import { branchOf, changedNames, countText, netChanges } from './net-changes.ts'

/** The buttons of a branch, its changes, and the conflicts to decide. */
export const branchPart: ObjectPart = {
  models: [SYSTEM.branch],
  pages: (routes) => NAMES.map((name) => [`${ID}/${name}/`, 'GET POST', actionPage(routes, name)]),
  load: async (page) => {
    const { request, object } = page
    const branch = branchOf(object)
    const address = addressOf(page)
    const [count, open, mayMerge, problem] = await Promise.all([
      changedObjects(request.service, [branch.id]).then((counts) => counts.get(branch.id) ?? 0),
      countConflicts(page),
      mayPerform(request, page.model, branch, 'merge'),
      problemOf(request, branch),
    ])
    const planned = branch.status === OPEN && (await plannedMerge(page, mayMerge))
    return {
      actions: await branchButtons(page, problem),
      left: html`${planned}${problem !== undefined && html`<p class="notice warn">${problem}</p>`}${
        open > 0 &&
        html`<p class="notice warn"><a href="${address}conflicts/">${translate('{count} conflict with main must be resolved.|{count} conflicts with main must be resolved.', { count: open })}</a></p>`
      }`,
      right: panel(
        translate('Changes'),
        count === 0
          ? html`<p class="muted">${translate('No changes yet.')}</p>`
          : html`<p><a href="${address}changes/">${translate('{count} changed object|{count} changed objects', { count })}</a></p>`,
      ),
    }
  },
}

/** When the branch will be merged, with a button to cancel this. */
async function plannedMerge({ request, object, model }: PageObject, mayCancel: boolean): Promise<Content> {
  const { service, csrfToken } = request
  const { database, registry, settings } = service
  const [job] = await database.query<{ id: number; scheduled: string }>(sql`
    select t.id, t.scheduled from ${table(SYSTEM.job)} t
    where t.object_type = ${SYSTEM.branch} and t.object_id = ${Number(object.id)}::bigint and t.status = 'scheduled' limit 1`)
  if (!job) return undefined
  const address = `${settings.basePath}${pagePathOf(registry.model(SYSTEM.job))}${job.id}/`
  const time = html`<a href="${address}">${timestampDisplay(job.scheduled)}</a>`
  return html`<div class="notice"><p>${translateMarkup('The branch will be merged at {time}.', { time })}</p>${
    mayCancel &&
    html`<form class="inline" method="post" action="${addressOf({ request, model, object })}merge/">${csrfField(csrfToken)}<button class="quiet" name="${CANCEL}" value="1">${translate('Cancel the scheduled merge')}</button></form>`
  }</div>`
}

/** Name of the button that cancels a scheduled merge. */
const CANCEL = '_cancel'

/** GET and POST of `…/<id>/merge/` and similar actions: shows what would happen, then performs it. */
const actionPage =
  (routes: ApiRoutes, name: ActionName): ModelPage =>
  async (request, model) => {
    const { object } = await readOne(request, model)
    const page: PageObject = { request, model, object, routes }
    const branch = branchOf(object)
    const address = addressOf(page)
    const action: BranchAction = ACTIONS[name]
    let refusal: ApiError | undefined
    if (request.method === 'POST') {
      try {
        const form = name === 'merge' ? await request.body.form() : undefined
        if (form?.has(CANCEL)) {
          await askApi(routes, request, { path: `${model.path}/${branch.id}/${name}/`, method: 'DELETE' })
          return seeOther(address)
        }
        const { body } = bodyOfForm(mergeControls(), form ?? new Map())
        await askApi(routes, request, { path: `${model.path}/${branch.id}/${name}/`, method: 'POST', body })
        if (body.schedule_at) return seeOther(address)
        const undo = action.hasUndo && request
        const location = withParameters(request, address, noticeParameters(action.notice, { ...(undo && { undo }) }))
        // The notice says that the branch is closed; the next page need not say so again.
        const isLeft = action.closes && request.branches?.chosen?.id === branch.id
        return seeOther(location, isLeft ? [choiceCookie(request)] : [])
      } catch (error) {
        if (!(error instanceof ApiError)) throw error
        refusal = error
      }
    } else if (!(await mayPerform(request, model, branch, name))) return seeOther(address)
    const conflicts = action.needsDecisions ? await conflictsOf(page) : { visible: [], hidden: 0 }
    const undecided = conflicts.visible.length + conflicts.hidden
    const problem = name === 'merge' ? await problemOf(request, branch) : undefined
    const mayOverride = request.actor.kind === 'user' && request.actor.isSuperuser
    const isRefused = undecided > 0 || (problem !== undefined && !mayOverride)
    const title = translate(action.label)
    return {
      title: `${title} · ${String(object.display)}`,
      model,
      status: (refusal && errorResponse(refusal)?.status) ?? 200,
      styles: ['objects.css', 'object.css'],
      breadcrumbs: [
        { label: shownPlural(model), path: pagePathOf(model) ?? '/' },
        { label: String(object.display), path: `${pagePathOf(model)}${branch.id}/` },
        { label: title, path: `${pagePathOf(model)}${branch.id}/${name}/` },
      ],
      body: html`<div class="heading"><div><p class="kind">${shownTitle(model)}</p><h1>${title}: <bdi>${String(object.display)}</bdi></h1></div></div>
${refusal && undecided === 0 && html`<p class="notice bad" role="alert">${sentenceOf(refusal)}</p>`}
${problem !== undefined && !refusal && html`<p class="notice warn">${problem}</p>`}
<form class="card" method="post" action="${request.url.pathname}">${csrfField(request.csrfToken)}
${
  undecided > 0
    ? html`<p>${translateMarkup('Resolve {conflicts} first.', { conflicts: html`<a href="${address}conflicts/">${translate('{count} conflict with main|{count} conflicts with main', { count: undecided })}</a>` })}</p>`
    : await EXPLANATIONS[name](page, branch)
}
${name === 'merge' && !isRefused && mergeControls(problem !== undefined).map((control) => controlField(control, 'merge'))}
<div class="buttons">${!isRefused && html`<button>${title}</button>`}<a class="button quiet" href="${address}">${translate('Cancel')}</a></div></form>`,
    }
  }

/**
 * The fields of a merge. `isOverride`: asks for the reason of a superuser who merges although policies do not allow it.
 */
const mergeControls = (isOverride = true): readonly Control[] => [
  {
    name: 'schedule_at',
    label: translate('Merge at (UTC)'),
    help: translate('Empty: at once'),
    input: { kind: 'text', type: 'datetime-local', value: '' },
    sentAs: 'textOrNull',
  },
  ...(isOverride
    ? [
        {
          name: 'override',
          label: translate('Reason to merge anyway'),
          input: { kind: 'text', type: 'text', value: '' },
          sentAs: 'text',
        } as const,
      ]
    : []),
]

/** The effect of an action, with the number of affected objects. */
const EXPLANATIONS: Readonly<Record<ActionName, (page: PageObject, branch: Branch) => Promise<Html>>> = {
  merge: async ({ request }, branch) => {
    const changes = await netChanges(request, branch)
    return html`<p>${translate('The changes to {count} object will be applied to main.|The changes to {count} objects will be applied to main.', { count: changes.visible.length + changes.hidden })}</p>
<p>${countText(changes)}</p>${await changedNames(request, branch, changes)}
<p class="muted">${translate('Either all changes are applied or none. The branch is then closed. You can revert the merge later.')}</p>`
  },
  sync: async ({ request: { service } }, branch) => {
    const count = await service.database.transaction((transaction) =>
      rowsBehind(transaction, service.registry, branch.id),
    )
    return html`<p>${translate('Main has changed {count} object that the branch has changed too.|Main has changed {count} objects that the branch has changed too.', { count })}</p>
<p class="muted">${translate('Fields that the branch has not changed get the values of main. This cannot be undone.')}</p>`
  },
  archive: async ({ request }, branch) => {
    const changes = await netChanges(request, branch)
    return html`<p>${translate('The changes to {count} object will not be merged.|The changes to {count} objects will not be merged.', { count: changes.visible.length + changes.hidden })}</p>${await changedNames(request, branch, changes)}
<p class="muted">${translate('You can still see them on the page of the branch.')}</p>`
  },
  revert: async ({ request }, branch) => {
    const changes = await netChanges(request, branch)
    return html`<p>${translate('{count} object returns to its state before the merge.|{count} objects return to their state before the merge.', { count: changes.visible.length + changes.hidden })}</p>${await changedNames(request, branch, changes)}
<p class="muted">${translate('Either all objects are restored or none: later changes to them prevent this. The branch is then open again.')}</p>`
  },
}

/** The column with the number of changed objects; undefined for other models. */
export function branchColumns(request: ApiRequest, model: Model): FurtherColumns | undefined {
  if (model.name !== SYSTEM.branch) return undefined
  return {
    fields: [],
    headings: [translate('Changed objects')],
    after: 'owner',
    load: async (objects) => {
      const ids = objects.map(({ id }) => Number(id))
      const counts = await changedObjects(request.service, ids)
      return ({ id }) => ({ cells: [html`<span class="num">${counts.get(Number(id)) ?? 0}</span>`] })
    },
  }
}
