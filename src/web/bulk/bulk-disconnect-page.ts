import type { ApiRequest } from '../../api/api-request.ts'
import { notFound } from '../../base/errors.ts'
import { requirePermission } from '../../identity/permitted-rows.ts'
import { requireUser } from '../../identity/require-user.ts'
import type { Model } from '../../schema/registry.ts'
import { sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { deleteObjects } from '../../write/remove/delete-objects.ts'
import { runWrite } from '../../write/run.ts'
import { writeRequestOf } from '../../write/write-request.ts'
import { visibleIds, visibleObjects } from '../data/page-objects.ts'
import { textIn } from '../forms/form-texts.ts'
import type { PageResponse } from '../frame/page-frame.ts'
import { seeOther } from '../frame/page-response.ts'
import { html } from '../html.ts'
import { cableModelOf } from '../lists/bulk-actions.ts'
import { translate } from '../texts/translate.ts'
import { changeNoteField, selectedNames } from './bulk-form.ts'
import { bulkPage, listAddress, nothingSelected } from './bulk-page.ts'
import { type BulkRefusal, bulkRefusalOf } from './bulk-refusal.ts'
import { type BulkSelection, bulkSelectionOf } from './selection.ts'

/** Maximum number of names that the page lists. */
const MOST_NAMES = 50

/** POST of `…/disconnect/`: shows the cables of the selected objects, then deletes them, all or none. */
export async function bulkDisconnectPage(request: ApiRequest, model: Model): Promise<PageResponse> {
  const { service, actor } = request
  const cable = cableModelOf(service.registry, model)
  if (!cable) throw notFound('page')
  requirePermission(actor, 'change', model, service.settings)
  requirePermission(actor, 'delete', cable, service.settings)
  const form = request.method === 'POST' ? await request.body.form() : undefined
  if (!form) return nothingSelected(request, model, { query: request.search.toString() })
  const selection = await bulkSelectionOf(request, model, 'change', form)
  if (selection.ids.length === 0) return nothingSelected(request, model, selection)
  const cables = await cablesOf(request, model, cable, selection)
  const message = textIn(form, 'changelog_message')
  const state = { selection, cable, cables, message }
  if (textIn(form, 'do') !== 'apply') return await disconnectPage(request, model, state)
  try {
    const targets = cables.map((id) => ({ id, message }))
    await runWrite(service, writeRequestOf(request, requireUser(request)), (context) =>
      deleteObjects(context, cable, targets, { bulk: true }),
    )
  } catch (error) {
    const refusal = await bulkRefusalOf(request, cable, error)
    return await disconnectPage(request, model, { ...state, refusal })
  }
  return seeOther(listAddress(request, model, selection, ['disconnected-all', selection.ids.length]))
}

/** Ids of the cables that end at the selected objects and that the sender may view. */
async function cablesOf(
  request: ApiRequest,
  model: Model,
  cable: Model,
  { ids }: BulkSelection,
): Promise<readonly number[]> {
  const rows = await request.service.database.query<{ id: number }>(sql`
    select distinct t.cable_id as id from ${table(model)} t
    where t.id = any(${ids}::bigint[]) and t.cable_id is not null order by 1`)
  return await visibleIds(
    request,
    cable,
    rows.map(({ id }) => Number(id)),
  )
}

interface FormState {
  readonly selection: BulkSelection
  readonly cable: Model
  readonly cables: readonly number[]
  readonly message: string
  readonly refusal?: BulkRefusal
}

async function disconnectPage(
  request: ApiRequest,
  model: Model,
  { selection, cable, cables, message, refusal }: FormState,
): Promise<PageResponse> {
  const count = cables.length
  const named = await visibleObjects(request, cable, cables.slice(0, MOST_NAMES), ['id', 'display'])
  const names = [...named.values()].map(({ display }) => String(display))
  const content =
    count === 0
      ? html`<p class="notice">${translate('None of these is connected by a cable.')}</p>`
      : html`<p>${translate('{count} cable will be deleted. You can undo this from the change log.|{count} cables will be deleted. You can undo this from the change log.', { count })}</p>
${selectedNames(translate('Cables'), names, count)}${changeNoteField(request, cable, message)}`
  const buttons =
    count > 0 &&
    html`<button class="danger" name="do" value="apply">${translate('Delete {count} cable|Delete {count} cables', { count })}</button>`
  return await bulkPage(request, model, {
    verb: 'Disconnect',
    path: 'disconnect',
    selection,
    content,
    buttons,
    refusal,
  })
}
