import type { ApiRequest } from '../../api/api-request.ts'
import { notFound } from '../../base/errors.ts'
import { requirePermission } from '../../identity/permitted-rows.ts'
import { requireUser } from '../../identity/require-user.ts'
import type { Model } from '../../schema/registry.ts'
import { deleteObjects } from '../../write/remove/delete-objects.ts'
import { runWrite } from '../../write/run.ts'
import { writeRequestOf } from '../../write/write-request.ts'
import { controlField } from '../components/control.ts'
import { countedNoun } from '../components/model-title.ts'
import { type Cascade, cascadeList, findCascade } from '../forms/cascade.ts'
import { textIn } from '../forms/form-texts.ts'
import { confirmationControl, needsTyping, typingProblem } from '../forms/typed-confirmation.ts'
import type { PageResponse } from '../frame/page-frame.ts'
import { seeOther } from '../frame/page-response.ts'
import { html } from '../html.ts'
import { hasBulkDelete } from '../lists/bulk-actions.ts'
import { translate } from '../texts/translate.ts'
import { changeNoteField } from './bulk-form.ts'
import { bulkPage, listAddress, nothingSelected } from './bulk-page.ts'
import { type BulkRefusal, bulkRefusalOf } from './bulk-refusal.ts'
import { asksForJob, backgroundField, startInBackground } from './in-background.ts'
import { type BulkSelection, bulkSelectionOf } from './selection.ts'

/** POST of `…/delete/`: shows what is deleted along with the selected objects, then deletes all of it or nothing. */
export async function bulkDeletePage(request: ApiRequest, model: Model): Promise<PageResponse> {
  const { service, actor } = request
  requirePermission(actor, 'delete', model, service.settings)
  if (!hasBulkDelete(model)) throw notFound('page')
  const form = request.method === 'POST' ? await request.body.form() : undefined
  if (!form) return nothingSelected(request, model, { query: request.search.toString() })
  const selection = await bulkSelectionOf(request, model, 'delete', form)
  if (selection.ids.length === 0) return nothingSelected(request, model, selection)
  const message = textIn(form, 'changelog_message')
  if (textIn(form, 'do') !== 'apply') {
    return await deletePage(request, model, { selection, message })
  }
  try {
    const count = selection.ids.length
    // Before anything is started in the background, too.
    const cascade = await findCascade(request, model, selection.ids)
    const problem = needsTyping(cascade, count) ? typingProblem(form, String(count)) : undefined
    if (problem !== undefined) return await deletePage(request, model, { selection, message, problem })
    if (asksForJob(form)) {
      const bodies = selection.ids.map((id) => ({ id, changelog_message: message }))
      return await startInBackground(request, model, 'DELETE', bodies)
    }
    const targets = selection.ids.map((id) => ({ id, message }))
    await runWrite(service, writeRequestOf(request, requireUser(request)), (context) =>
      deleteObjects(context, model, targets, { bulk: true }),
    )
  } catch (error) {
    const refusal = await bulkRefusalOf(request, model, error)
    return await deletePage(request, model, { selection, message, refusal })
  }
  return seeOther(listAddress(request, model, selection, ['deleted-all', selection.ids.length]))
}

interface FormState {
  readonly selection: BulkSelection
  readonly message: string
  readonly refusal?: BulkRefusal
  /** What is wrong with the text that confirms the deletion. */
  readonly problem?: string
}

async function deletePage(
  request: ApiRequest,
  model: Model,
  { selection, message, refusal, problem }: FormState,
): Promise<PageResponse> {
  const dependents = refusal ?? (await dependentsOf(request, model, selection))
  const isRefused = 'messages' in dependents
  const log = html`${changeNoteField(request, model, message)}${backgroundField(selection.ids.length)}`
  const count = selection.ids.length
  const confirmation =
    !isRefused &&
    needsTyping(dependents, count) &&
    html`<div class="fields">${controlField(confirmationControl(String(count)), 'delete')}</div>`
  const content = html`${!isRefused && (await cascadeList(request, model, count, dependents))}${confirmation}${!isRefused && log}`
  const buttons =
    !isRefused &&
    html`<button class="danger" name="do" value="apply">${translate('Delete {count} {objects}', { count: selection.ids.length, objects: countedNoun(model, selection.ids.length) })}</button>`
  return await bulkPage(request, model, {
    verb: 'Delete',
    path: 'delete',
    selection,
    content,
    buttons,
    refusal: isRefused ? dependents : problem === undefined ? undefined : { status: 400, messages: problem },
  })
}

/** The objects that depend on the selected ones, or the reason why these cannot be deleted. */
async function dependentsOf(request: ApiRequest, model: Model, { ids }: BulkSelection): Promise<Cascade | BulkRefusal> {
  try {
    return await findCascade(request, model, ids)
  } catch (error) {
    return await bulkRefusalOf(request, model, error)
  }
}
