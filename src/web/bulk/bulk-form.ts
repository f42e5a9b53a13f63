import type { ApiRequest } from '../../api/api-request.ts'
import type { Model } from '../../schema/registry.ts'
import { controlField } from '../components/control.ts'
import { csrfField } from '../components/csrf-field.ts'
import { type ControlGroup, narrowingOf } from '../forms/edit-controls.ts'
import { type FormTexts, searchedWords } from '../forms/form-texts.ts'
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
  /** Value of the button that the Enter key presses. */
  readonly firstButton: string | undefined
}

/** A form for several objects with this content; `buttons` come before the link that leads back. */
export const bulkForm = (
  { action, csrfToken, ids, query, returnTo, cancel, firstButton }: BulkForm,
  content: Content,
  buttons: Content,
): Html =>
  html`<form class="edit bulk" data-folds method="post" action="${action}" enctype="multipart/form-data" novalidate>
${/* The Enter key presses the first button of a form. */ ''}${firstButton !== undefined && html`<button class="visually-hidden" name="do" value="${firstButton}" tabindex="-1" aria-hidden="true">${translate('Continue')}</button>`}
${csrfField(csrfToken)}<input type="hidden" name="ids" value="${ids}"><input type="hidden" name="query" value="${query}">${returnTo !== undefined && html`<input type="hidden" name="${RETURN}" value="${returnTo}">`}
${content}
<div class="buttons sticky">${buttons}<a class="button quiet" href="${cancel}">${translate('Cancel')}</a></div>
</form>`

/** The first selected objects by name, and how many there are. */
export const selectedNames = (label: string, names: readonly string[], count: number): Html =>
  html`<section class="bulk-selection"><h2>${label}</h2><ul tabindex="0" aria-label="${label}">${names.map((name) => html`<li><bdi>${name}</bdi></li>`)}${count > names.length && html`<li class="muted">${translate('and {count} more', { count: count - names.length })}</li>`}</ul></section>`

/** The groups, with lists or searches in place of plain keys of objects. */
export async function withBulkPickers(
  request: ApiRequest,
  model: Model,
  groups: readonly ControlGroup[],
  texts: FormTexts,
): Promise<readonly ControlGroup[]> {
  const all = groups.flatMap(({ controls }) => controls)
  const narrowedBy = narrowingOf(request.service.registry, model)
  const picked = await withPickers(request, all, { narrowedBy, words: searchedWords(texts) })
  const byName = new Map(picked.map((control) => [control.name, control]))
  return groups.map(({ label, controls }) => ({
    label,
    controls: controls.map((control) => byName.get(control.name) ?? control),
  }))
}

/** Names of the buttons and requests that show the form again. */
const REDRAWING = ['_find', '_refresh'] as const

/** Whether the form is sent to be shown again, with other choices, and not to be applied. */
export const isRedrawn = (texts: FormTexts): boolean =>
  searchedWords(texts).size > 0 || REDRAWING.some((name) => texts.has(name))

/** Old and new names side by side. */
export const renamePreview = (rows: readonly { readonly before: string; readonly after: string }[]): Html =>
  html`<div class="scroll"><table><caption class="visually-hidden">${translate('Preview')}</caption><thead><tr><th scope="col">${translate('Now')}</th><th scope="col">${translate('New')}</th></tr></thead><tbody>${rows.map(
    ({ before, after }) =>
      html`<tr class="${before === after && 'muted'}"><td><bdi>${before}</bdi></td><td><bdi>${after}</bdi></td></tr>`,
  )}</tbody></table></div>`

/** A field for the reason of a deletion of objects of the model, for the change log. */
export const changeNoteField = (request: ApiRequest, model: Model, value: string): Html =>
  html`<div class="fields">${controlField(
    messageControl(request, model, {
      help: translate('Why these are deleted, for the change log.'),
      value,
    }),
    'delete',
  )}</div>`
