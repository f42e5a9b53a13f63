import type { ApiRequest } from '../../api/api-request.ts'
import { notFound } from '../../base/errors.ts'
import { changedObjects } from '../../changes/branches/branch-changes.ts'
import { OPEN } from '../../db/branches/branch-database.ts'
import { BRANCH_PARAMETER, type Branch, branchService } from '../../read/branches/branch-service.ts'
import { isJsonObject, type JsonObject } from '../../schema/json.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { plannedBy } from '../administration/agents.ts'
import { shownPlural } from '../components/model-title.ts'
import { panel } from '../components/panel.ts'
import { linkToObject, timestampDisplay, valueDisplay } from '../components/value.ts'
import { displayOptions, displayOptionsOf } from '../data/display-options.ts'
import { visibleIds } from '../data/page-objects.ts'
import type { ObjectTab } from '../frame/object-content.ts'
import { type Content, type Html, html } from '../html.ts'
import { changedFields, fieldChanges, recordOf } from '../object-parts/field-changes.ts'
import { translate } from '../texts/translate.ts'
import { prefixPictures } from './address-pictures.ts'
import { branchButtons, problemOf } from './branch-buttons.ts'
import { cablePictures } from './cabling-pictures.ts'
import { branchOf, contextsOfChanges, countText, type NetChange, netChanges } from './net-changes.ts'
import { picturesOf } from './pictures.ts'
import { rackPictures } from './rack-pictures.ts'
import { addReview, requestButtons, reviewForm, reviewList, reviewModel } from './reviews.ts'

const PICTURES = [rackPictures, prefixPictures, cablePictures]

/** Maximum number of objects that the page shows. */
const MOST = 200

/**
 * The changes of the branch, or of that of a change request: its objects by type, with their fields. For a change
 * request, also its reviews and the form for another one.
 */
export const branchChangesTab: ObjectTab = {
  models: [SYSTEM.branch, SYSTEM.changeRequest],
  path: 'changes',
  label: () => translate('Changes'),
  count: async ({ request, object }) => {
    const { service } = request
    const branch = isJsonObject(object.branch) ? object.branch : object
    const [id] = await visibleIds(request, service.registry.model(SYSTEM.branch), [Number(branch.id)])
    return id === undefined ? undefined : ((await changedObjects(service, [id])).get(id) ?? 0)
  },
  methods: 'GET POST',
  load: async (page) => {
    const { request } = page
    const isRequested = page.model.name === SYSTEM.changeRequest
    const added = isRequested && request.method === 'POST' ? await addReview(page) : undefined
    if (added && 'status' in added) return added
    const object = isJsonObject(page.object.branch) ? page.object.branch : page.object
    const branchModel = request.service.registry.model(SYSTEM.branch)
    if ((await visibleIds(request, branchModel, [Number(object.id)])).length === 0) throw notFound('Branch')
    const branch = branchOf(object)
    const changes = await netChanges(request, branch)
    const listed = changes.visible.slice(0, MOST)
    const more = changes.visible.length - listed.length
    return {
      status: added ? 400 : 200,
      actions: isRequested ? await requestButtons(page) : await branchButtons(page, await problemOf(request, branch)),
      content: html`${
        changes.visible.length === 0
          ? html`<p class="notice">${translate('No changes yet.')}</p>`
          : html`<p>${countText(changes)}${isRequested && (await authorOf(request, page.object))}</p>`
      }
${changes.hidden > 0 && html`<p class="notice">${translate('{count} more changed object is not shown, because you may not view it.|{count} more changed objects are not shown, because you may not view them.', { count: changes.hidden })}</p>`}
${await changesByType(request, branch, object, listed)}
${more > 0 && html`<p>${translate('{count} more object is not shown.|{count} more objects are not shown.', { count: more })}</p>`}
${await picturesOf(request, { branch, schemaId: String(object.schema_id) }, changes.visible, PICTURES)}
${isRequested && html`${panel(shownPlural(reviewModel(request)), await reviewList(page))}${reviewForm(page, added)}`}`,
      styles: ['branches.css', 'racks.css', 'addresses.css', 'drawings.css', 'inputs.css'],
      scripts: ['mentions.client.ts'],
    }
  },
}

/** Who has asked for the changes, and when. */
async function authorOf(request: ApiRequest, { author, created, branch }: JsonObject): Promise<Content> {
  const options = await displayOptionsOf(request, [])
  const agent = isJsonObject(branch) && (await plannedBy(request, Number(branch.id)))
  return html`<span class="muted"> ${isJsonObject(author) && linkToObject(author, options)} ${typeof created === 'string' && timestampDisplay(created)}${agent && html` · ${agent}`}</span>`
}

/** Up to this many fields of an object that was created or deleted are in view. */
const UNFOLDED = 8

/** The changed objects by type, each with its fields before and after; those of new objects if there are few. */
export async function changesByType(
  request: ApiRequest,
  branch: Branch,
  { schema_id: schemaId }: JsonObject,
  changes: readonly NetChange[],
  unfolded = UNFOLDED,
): Promise<Content> {
  const { registry, settings } = request.service
  const inBranch = { ...request, service: branchService(request.service, branch) }
  const fields = await fieldChanges(
    inBranch,
    changes.map((change, index) => recordOf(index, change)),
  )
  const contextOf = await contextsOfChanges(request, branch, changes)
  const numbered = changes.map((change, index) => ({ ...change, rows: fields.get(index) ?? [] }))
  const action = registry.model(SYSTEM.objectChange).fields.get('action')
  const options = displayOptions(request, new Map())
  const choices = action && 'choices' in action ? (action.choices?.list ?? []) : []
  const badge = (value: string): Content => {
    const label = choices.find((choice) => choice.value === value)?.label ?? value
    return valueDisplay(action, { value, label }, options)
  }
  // Objects that the branch has deleted can only be seen on main, until the branch is merged.
  const addressOf = (root: string, { id, action }: NetChange): string => {
    const page = `${settings.basePath}${root}${id}/`
    if (branch.status !== OPEN) return page
    return `${page}?${new URLSearchParams({ [BRANCH_PARAMETER]: action === 'delete' ? '' : String(schemaId) })}`
  }
  return [...Map.groupBy(numbered, ({ type }) => type)].map(([type, list]): Html => {
    const model = registry.models.get(type)
    const root = model && pagePathOf(model)
    return html`<section><h2>${model ? shownPlural(model) : type} <small class="count">${list.length}</small></h2><ol class="changes">${list.map(
      (change) =>
        html`<li class="card"><p class="entry-head">${badge(change.action)} ${root === undefined || (change.action === 'delete' && branch.status !== OPEN) ? html`<bdi>${change.name}</bdi>` : html`<a href="${addressOf(root, change)}"><bdi>${change.name}</bdi></a>`}${contextOf(change)}</p>
${change.action === 'update' ? changedFields(change.rows) : html`<details${change.rows.length <= unfolded && html` open`}><summary>${translate('{count} field|{count} fields', { count: change.rows.length })}</summary>${changedFields(change.rows)}</details>`}</li>`,
    )}</ol></section>`
  })
}
