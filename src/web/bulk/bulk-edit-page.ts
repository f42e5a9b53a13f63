import type { ApiRequest } from '../../api/api-request.ts'
import type { FormValues } from '../../api/transport/body.ts'
import { notFound } from '../../base/errors.ts'
import { requirePermission } from '../../identity/permitted-rows.ts'
import { requireUser } from '../../identity/require-user.ts'
import type { Json } from '../../schema/json.ts'
import type { Model } from '../../schema/registry.ts'
import { runWrite } from '../../write/run.ts'
import { updateObjects } from '../../write/update-objects.ts'
import { writeRequestOf } from '../../write/write-request.ts'
import { type BodyValue, bodyOfForm } from '../forms/form-body.ts'
import { textIn, textsIn, withTexts } from '../forms/form-texts.ts'
import type { PageResponse } from '../frame/page-frame.ts'
import { seeOther } from '../frame/page-response.ts'
import { html } from '../html.ts'
import { hasBulkEdit } from '../lists/bulk-actions.ts'
import { translate } from '../texts/translate.ts'
import { bulkEditGroups, type EditGroup } from './bulk-edit-controls.ts'
import { bulkFields, withBulkPickers } from './bulk-form.ts'
import { bulkPage, listAddress, nothingSelected } from './bulk-page.ts'
import { type BulkRefusal, bulkRefusalOf, RefusedObjects } from './bulk-refusal.ts'
import { asksForJob, backgroundField, startInBackground } from './in-background.ts'
import { type BulkSelection, bulkSelectionOf } from './selection.ts'
import { bodiesOfObjects } from './value-changes.ts'

/** POST of `…/edit/`: a form for the selected objects, then their change. Only fields that are filled in are changed. */
export async function bulkEditPage(request: ApiRequest, model: Model): Promise<PageResponse> {
  const { service, actor } = request
  requirePermission(actor, 'change', model, service.settings)
  if (!hasBulkEdit(service.registry, model)) throw notFound('page')
  const form = request.method === 'POST' ? await request.body.form() : undefined
  if (!form) return nothingSelected(request, model, { query: request.search.toString() })
  const selection = await bulkSelectionOf(request, model, 'change', form)
  const groups = await bulkEditGroups(request, model)
  if (selection.ids.length === 0) return nothingSelected(request, model, selection)
  if (textIn(form, 'do') !== 'apply') return await editPage(request, model, { selection, groups })
  const redrawn = (refusal: BulkRefusal) =>
    editPage(request, model, { selection, groups: enteredGroups(groups, form), refusal })
  const { body, errors } = changesIn(groups, form)
  if (errors.size > 0) {
    const sentences = [...errors].map(([name, texts]) => `${name}: ${texts.join(' ')}`)
    return await redrawn({ status: 400, sentences })
  }
  const { changelog_message: _message, ...changes } = body
  if (Object.keys(changes).length === 0) {
    return await redrawn({ status: 400, sentences: [translate('Fill in the fields to change.')] })
  }
  const bodies = await bodiesOfObjects(request, model, selection.ids, body)
  try {
    if (asksForJob(form)) return await startInBackground(request, model, 'PATCH', bodies)
    await runWrite(service, writeRequestOf(request, requireUser(request)), (context) =>
      updateObjects(
        context,
        model,
        bodies.map((each) => ({ id: each.id, body: each })),
        { partial: true, bulk: true, refusal: (messages) => new RefusedObjects(messages) },
      ),
    )
  } catch (error) {
    return await redrawn(await bulkRefusalOf(request, model, error))
  }
  return seeOther(listAddress(request, model, selection, ['changed-all', bodies.length]))
}

/** The body of the change: fields that are filled in, and those that are to be emptied. */
function changesIn(groups: readonly EditGroup[], form: FormValues) {
  const all = groups.flatMap(({ controls }) => controls)
  const isFilled = (name: string) => textsIn(form, name).some((text) => text.trim() !== '')
  const filled = all.filter(({ control }) => isFilled(control.name))
  const { body, errors } = bodyOfForm(
    filled.map(({ control }) => control),
    form,
  )
  const emptied = new Set(textsIn(form, '_nullify'))
  const changes: Record<string, BodyValue> = { ...body }
  const custom: Record<string, Json> = {}
  for (const { control, empty } of all) {
    if (empty === undefined || !emptied.has(control.name)) continue
    const customName = /^custom_fields\.(.+)$/s.exec(control.name)?.[1]
    if (customName === undefined)
      for (const name of Object.values(control.keys ?? [control.name])) changes[name] = empty
    else custom[customName] = empty
  }
  if (Object.keys(custom).length > 0) {
    changes.custom_fields = { ...Object(changes.custom_fields ?? {}), ...custom }
  }
  return { body: changes, errors }
}

interface Shown {
  readonly selection: BulkSelection
  readonly groups: readonly EditGroup[]
  readonly refusal?: BulkRefusal
}

async function editPage(
  request: ApiRequest,
  model: Model,
  { selection, groups, refusal }: Shown,
): Promise<PageResponse> {
  const shown = await withBulkPickers(request, model, groups)
  const content = html`<p>${translate('Leave a field empty to keep its value.')}</p>${bulkFields(shown)}${backgroundField(selection.ids.length)}`
  const buttons = html`<button name="do" value="apply">${translate('Save')}</button>`
  return await bulkPage(request, model, {
    verb: 'Edit',
    path: 'edit',
    selection,
    content,
    buttons,
    refusal,
    scripts: ['lists.client.ts'],
  })
}

/** The groups with the values that were entered, for a form that has to be corrected. */
function enteredGroups(groups: readonly EditGroup[], form: FormValues): readonly EditGroup[] {
  const emptied = new Set(textsIn(form, '_nullify'))
  return groups.map((group) => ({
    ...group,
    controls: group.controls.map((each) => ({
      ...each,
      control: withTexts(each.control, textsIn(form, each.control.name)),
      isEmptied: emptied.has(each.control.name),
    })),
  }))
}
