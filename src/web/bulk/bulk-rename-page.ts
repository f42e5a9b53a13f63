import type { ApiRequest } from '../../api/api-request.ts'
import type { FormValues } from '../../api/transport/body.ts'
import { notFound } from '../../base/errors.ts'
import { requirePermission } from '../../identity/permitted-rows.ts'
import { requireUser } from '../../identity/require-user.ts'
import { linearExpression } from '../../schema/linear-expression.ts'
import type { Model } from '../../schema/registry.ts'
import { runWrite } from '../../write/run.ts'
import { updateObjects } from '../../write/update-objects.ts'
import { writeRequestOf } from '../../write/write-request.ts'
import type { Control } from '../components/control.ts'
import { fieldLabel } from '../components/field-label.ts'
import { visibleObjects } from '../data/page-objects.ts'
import { textIn } from '../forms/form-texts.ts'
import type { PageResponse } from '../frame/page-frame.ts'
import { seeOther } from '../frame/page-response.ts'
import { html } from '../html.ts'
import { renamedFields } from '../lists/bulk-actions.ts'
import { translate } from '../texts/translate.ts'
import { renamePreview } from './bulk-form.ts'
import { bulkPage, countedNoun, listAddress, nothingSelected } from './bulk-page.ts'
import { type BulkRefusal, bulkRefusalOf, RefusedObjects } from './bulk-refusal.ts'
import { type BulkSelection, bulkSelectionOf } from './selection.ts'

/** POST of `…/rename/`: find and replace in the names of the selected objects, with a preview. */
export async function bulkRenamePage(request: ApiRequest, model: Model): Promise<PageResponse> {
  const { service, actor } = request
  requirePermission(actor, 'change', model, service.settings)
  const fields = renamedFields(model)
  if (fields.length === 0) throw notFound('page')
  const form = request.method === 'POST' ? await request.body.form() : undefined
  if (!form) return nothingSelected(request, model, { query: request.search.toString() })
  const selection = await bulkSelectionOf(request, model, 'change', form)
  if (selection.ids.length === 0) return nothingSelected(request, model, selection)
  const entered = enteredIn(form, fields)
  const task = textIn(form, 'do')
  const redrawn = (state: Partial<FormState>) => renamePage(request, model, { selection, entered, names: [], ...state })
  if (task !== 'preview' && task !== 'apply') return await redrawn({})
  const rename = renamer(entered)
  if (typeof rename === 'string') return await redrawn({ refusal: { status: 400, messages: { find: rename } } })
  const names = await renamedNames(request, model, selection, entered.field, rename)
  if (task === 'preview') return await redrawn({ names })
  const changed = names.filter(({ before, after }) => before !== after)
  try {
    await runWrite(service, writeRequestOf(request, requireUser(request)), (context) =>
      updateObjects(
        context,
        model,
        changed.map(({ id, after }) => ({ id, body: { id, [entered.field]: after } })),
        { partial: true, bulk: true, refusal: (messages) => new RefusedObjects(messages) },
      ),
    )
  } catch (error) {
    return await redrawn({ names, refusal: await bulkRefusalOf(request, model, error, changed.length) })
  }
  return seeOther(listAddress(request, model, selection, ['renamed-all', changed.length]))
}

interface Entered {
  readonly field: string
  readonly find: string
  readonly replace: string
  readonly isExpression: boolean
}

function enteredIn(form: FormValues, fields: readonly string[]): Entered {
  const field = textIn(form, 'field_name')
  return {
    field: fields.includes(field) ? field : (fields[0] ?? 'name'),
    find: textIn(form, 'find'),
    replace: textIn(form, 'replace'),
    isExpression: textIn(form, 'use_regex') === 'true',
  }
}

interface Renamed {
  readonly id: number
  readonly before: string
  readonly after: string
}

/** Old and new names; objects without a name stay unnamed. */
async function renamedNames(
  request: ApiRequest,
  model: Model,
  { ids }: BulkSelection,
  field: string,
  rename: (name: string) => string,
): Promise<readonly Renamed[]> {
  const objects = await visibleObjects(request, model, ids, ['id', field])
  return ids.flatMap((id) => {
    const before = objects.get(id)?.[field]
    return typeof before === 'string' ? [{ id, before, after: rename(before) }] : []
  })
}

interface FormState {
  readonly selection: BulkSelection
  readonly entered: Entered
  readonly names: readonly Renamed[]
  readonly refusal?: BulkRefusal
}

async function renamePage(
  request: ApiRequest,
  model: Model,
  { selection, entered, names, refusal }: FormState,
): Promise<PageResponse> {
  const changed = names.filter(({ before, after }) => before !== after).length
  const preview =
    names.length > 0 &&
    html`<section class="card"><h2>${translate('Preview')}</h2><p>${translate('{changed} of {total} names will change.', { changed, total: names.length })}</p>${renamePreview(names)}</section>`
  const buttons = html`<button name="do" value="preview"${changed > 0 && html` class="quiet"`}>${translate('Preview')}</button>${changed > 0 && html`<button name="do" value="apply">${translate('Rename {count} {objects}', { count: changed, objects: countedNoun(model, changed) })}</button>`}`
  return await bulkPage(request, model, {
    verb: 'Rename',
    path: 'rename',
    selection,
    groups: [{ label: '', controls: controlsOf(request, model, entered) }],
    content: preview,
    buttons,
    firstButton: changed > 0 ? 'apply' : 'preview',
    refusal,
  })
}

function controlsOf(
  { service }: ApiRequest,
  model: Model,
  { field, find, replace, isExpression }: Entered,
): readonly Control[] {
  const fields = renamedFields(model)
  const options = fields.map((value) => ({
    value,
    label: fieldLabel(service.registry, model, value),
  }))
  const choice: Control = {
    name: 'field_name',
    label: translate('Field'),
    input: { kind: 'select', options, chosen: [field] },
  }
  return [
    ...(fields.length > 1 ? [choice] : []),
    {
      name: 'find',
      label: translate('Find'),
      isRequired: true,
      input: { kind: 'text', type: 'text', value: find },
    },
    {
      name: 'replace',
      label: translate('Replace with'),
      input: { kind: 'text', type: 'text', value: replace },
    },
    {
      name: 'use_regex',
      label: translate('Regular expression'),
      help: translate('\\1, \\2 … insert the groups of the expression'),
      input: { kind: 'checkbox', isChecked: isExpression },
    },
  ]
}

/** Find and replace in names. */
interface Replacement {
  readonly find: string
  readonly replace: string
  /** `find` is a regular expression; `\1` in `replace` is its first group. */
  readonly isExpression: boolean
}

/** Returns a function that makes new names; or a text that says why the replacement cannot be used. */
export function renamer({ find, replace, isExpression }: Replacement): string | ((name: string) => string) {
  if (find === '') return translate('Enter what to find.')
  if (!isExpression) return (name) => name.replaceAll(find, () => replace)
  const expression = linearExpression(find)
  if (!expression) return translate('This regular expression cannot be used here.')
  return (name) => expression.replaceAll(name, (groups) => filledIn(replace, groups))
}

/** The replacement with the texts of the groups in place of `\1`, `\g<1>` and `\g<name>`. */
const filledIn = (replace: string, groups: (name: string) => string): string =>
  replace.replaceAll(
    /\\(?:g<(\w+)>|(\d{1,2})|(\\))/g,
    (_written, name?: string, number?: string, backslash?: string) => backslash ?? groups(name ?? number ?? '0'),
  )
