import type { ApiRequest } from '../../api/api-request.ts'
import type { Model } from '../../schema/registry.ts'
import { type Control, controlField } from '../components/control.ts'
import { csrfField } from '../components/csrf-field.ts'
import { narrowingOf } from '../forms/edit-controls.ts'
import { messageControl } from '../forms/message-control.ts'
import { withPickers } from '../forms/pickers.ts'
import { RETURN } from '../forms/return-path.ts'
import { type Content, type Html, html } from '../html.ts'
import { translate } from '../texts/translate.ts'

/** The parts that all forms for several objects have. */
interface BulkForm {
  readonly action: string
  readonly csrfToken: string | undefined
  /** The selected objects, as the text of a form field. */
  readonly ids: string
  /** Query of the list to which the form returns. */
  readonly query: string
  /** Page to which the form returns, if it is not that list. */
  readonly returnTo: string | undefined
  readonly cancel: string
}

/** A form for several objects with this content; `buttons` come before the link that leads back. */
export const bulkForm = (
  { action, csrfToken, ids, query, returnTo, cancel }: BulkForm,
  content: Content,
  buttons: Content,
): Html =>
  html`<form class="bulk" method="post" action="${action}" enctype="multipart/form-data" novalidate>
${csrfField(csrfToken)}<input type="hidden" name="ids" value="${ids}"><input type="hidden" name="query" value="${query}">${returnTo !== undefined && html`<input type="hidden" name="${RETURN}" value="${returnTo}">`}
${content}
<div class="buttons sticky">${buttons}<a class="button quiet" href="${cancel}">${translate('Cancel')}</a></div>
</form>`

/** The names of the selected objects, in an expandable list. */
export const selectedNames = (names: readonly string[], count: number): Html =>
  html`<details class="card selected"><summary>${translate('{count} selected', { count })}</summary><ul>${names.map((name) => html`<li><bdi>${name}</bdi></li>`)}${count > names.length && html`<li>${translate('and {count} more', { count: count - names.length })}</li>`}</ul></details>`

/** A control with a check box that empties the field. */
export interface BulkControl {
  readonly control: Control
  /** The field may be emptied; `isEmptied`: the box is checked. */
  readonly canEmpty: boolean
  readonly isEmptied: boolean
}

export interface BulkGroup {
  readonly label: string
  readonly controls: readonly BulkControl[]
}

/** The groups, with lists or searches in place of plain keys of objects. */
export async function withBulkPickers(
  request: ApiRequest,
  model: Model,
  groups: readonly BulkGroup[],
): Promise<readonly BulkGroup[]> {
  const all = groups.flatMap(({ controls }) => controls.map(({ control }) => control))
  const narrowedBy = narrowingOf(request.service.registry, model)
  const byName = new Map((await withPickers(request, all, { narrowedBy })).map((control) => [control.name, control]))
  return groups.map((group) => ({
    ...group,
    controls: group.controls.map((bulk) => ({ ...bulk, control: byName.get(bulk.control.name) ?? bulk.control })),
  }))
}

/** Fields that are changed if they are filled in. */
export const bulkFields = (groups: readonly BulkGroup[]): readonly Html[] =>
  groups.map(
    ({ label, controls }, place) =>
      html`<fieldset class="card"><legend class="${label === '' && 'visually-hidden'}">${label || translate('Fields')}</legend><div class="fields">${controls.map((each, index) => bulkField(each, `bulk${place}-${index}`))}</div></fieldset>`,
  )

const bulkField = ({ control, canEmpty, isEmptied }: BulkControl, prefix: string): Html =>
  html`<div class="bulk-field">${controlField(control, prefix)}${canEmpty && html`<label class="empty-field"><input type="checkbox" name="_nullify" value="${control.name}"${isEmptied && html` checked`}> ${translate('Clear')}<span class="visually-hidden">: ${control.label}</span></label>`}</div>`

/** Old and new names side by side. */
export const renamePreview = (rows: readonly { readonly before: string; readonly after: string }[]): Html =>
  html`<div class="scroll"><table><caption class="visually-hidden">${translate('Preview')}</caption><thead><tr><th scope="col">${translate('Now')}</th><th scope="col">${translate('New')}</th></tr></thead><tbody>${rows.map(
    ({ before, after }) =>
      html`<tr class="${before === after && 'muted'}"><td><bdi>${before}</bdi></td><td><bdi>${after}</bdi></td></tr>`,
  )}</tbody></table></div>`

/** A field for the reason of a deletion of objects of the model, for the change log. */
export const changeNoteField = (request: ApiRequest, model: Model, value: string): Html =>
  html`<div class="card fields">${controlField(
    messageControl(request, model, {
      help: translate('Why these are deleted, for the change log.'),
      value,
    }),
    'delete',
  )}</div>`
