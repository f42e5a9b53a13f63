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
import type { ControlGroup } from '../forms/edit-controls.ts'
import { type BodyValue, bodyOfForm } from '../forms/form-body.ts'
import { type FormTexts, textIn, textsIn, textsOfForm, withTexts } from '../forms/form-texts.ts'
import type { PageResponse } from '../frame/page-frame.ts'
import { seeOther } from '../frame/page-response.ts'
import { html } from '../html.ts'
import { hasBulkEdit } from '../lists/bulk-actions.ts'
import { translate } from '../texts/translate.ts'
import { bulkEditGroups, type EditGroup } from './bulk-edit-controls.ts'
import { isRedrawn, withBulkPickers } from './bulk-form.ts'
import { bulkPage, countedNoun, listAddress, nothingSelected } from './bulk-page.ts'
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
  const texts = textsOfForm(form)
  const redrawn = (refusal?: BulkRefusal) =>
    editPage(request, model, { selection, texts, groups: enteredGroups(groups, form), refusal })
  if (isRedrawn(texts)) return await redrawn()
  if (textIn(form, 'do') !== 'apply') {
    return await editPage(request, model, {
      selection,
      texts,
      groups: enteredGroups(groups, new Map()),
      refusal: undefined,
    })
  }
  const { body, errors } = changesIn(groups, form)
  if (errors.size > 0) return await redrawn({ status: 400, messages: Object.fromEntries(errors) })
  const { changelog_message: _message, ...changes } = body
  if (Object.keys(changes).length === 0) {
    return await redrawn({ status: 400, messages: translate('Fill in the fields to change.') })
  }
  const bodies = await bodiesOfObjects(request, model, selection.ids, body)
  try {
    if (asksForJob(form)) return await startInBackground(request, model, 'PATCH', bodies)
    await runWrite(service, writeRequestOf(request, requireUser(request)), (context) =>
      updateObjects(
        context,
        model,
        bodies.map((values) => ({ id: values.id, body: values })),
        { partial: true, bulk: true, refusal: (messages) => new RefusedObjects(messages) },
      ),
    )
  } catch (error) {
    return await redrawn(await bulkRefusalOf(request, model, error, selection.ids.length))
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

interface FormState {
  readonly selection: BulkSelection
  readonly texts: FormTexts
  readonly groups: readonly ControlGroup[]
  readonly refusal: BulkRefusal | undefined
}

async function editPage(
  request: ApiRequest,
  model: Model,
  { selection, texts, groups, refusal }: FormState,
): Promise<PageResponse> {
  const groupsWithPickers = await withBulkPickers(request, model, groups, texts)
  const { length } = selection.ids
  return await bulkPage(request, model, {
    verb: 'Edit',
    path: 'edit',
    selection,
    groups: groupsWithPickers,
    introduction: html`<p class="help">${translate('Leave a field empty to keep its value.')}</p>`,
    content: backgroundField(length),
    buttons: html`<button name="do" value="apply">${translate('Change {count} {objects}', { count: length, objects: countedNoun(model, length) })}</button>`,
    firstButton: 'apply',
    refusal,
  })
}

/** The groups with the values that were entered, and the boxes that empty a field. */
function enteredGroups(groups: readonly EditGroup[], form: FormValues): readonly ControlGroup[] {
  const emptied = new Set(textsIn(form, '_nullify'))
  return groups.map(({ label, controls }) => ({
    label,
    controls: controls.map(({ control, empty }) => ({
      ...withTexts(control, textsIn(form, control.name)),
      ...(empty !== undefined && { clearing: { isChecked: emptied.has(control.name) } }),
    })),
  }))
}
