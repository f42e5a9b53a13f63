import { csrfField } from '../components/csrf-field.ts'
import { type Content, type Html, html } from '../components/html.ts'
import type { PlainText } from '../texts/dictionaries.ts'
import { translate } from '../texts/translate.ts'

/** Id of the form to which the check boxes of a list belong. */
export const SELECTION_FORM = 'selection'

interface BulkAction {
  readonly label: PlainText
  /** Address of the page with the form, with the base path. */
  readonly action: string
  readonly isDangerous?: boolean
}

export interface SelectionForm {
  readonly csrfToken: string | undefined
  /** Query of the list: it says what "all that match" are, and leads back. */
  readonly query: string
  readonly onPage: number
  readonly matching: number
  readonly actions: readonly BulkAction[]
}

/** The actions on the selected objects of a list: each button opens a page with a form for all of them. */
export const selectionForm = ({
  csrfToken,
  query,
  onPage,
  matching,
  actions,
}: SelectionForm): Content =>
  actions.length > 0 &&
  html`<form id="${SELECTION_FORM}" class="selection" method="post" enctype="multipart/form-data" action="${actions[0]?.action}">
${csrfField(csrfToken)}<input type="hidden" name="query" value="${query}">
<label><span class="visually-hidden">${translate('Objects')}</span> <select name="scope"><option value="">${translate('Checked below')}</option><option value="page">${translate('All {count} on this page', { count: onPage })}</option>${matching > onPage && html`<option value="all">${translate('All {count} that match', { count: matching })}</option>`}</select></label>
${actions.map(actionButton)}
</form>`

const actionButton = ({ label, action, isDangerous = false }: BulkAction): Html =>
  html`<button class="quiet${isDangerous && ' danger'}" formaction="${action}">${translate(label)}</button>\n`
