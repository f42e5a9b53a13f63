import { type Content, type Html, html } from '../components/html.ts'
import { translate } from '../texts/translate.ts'

interface ColumnChoice {
  readonly name: string
  readonly label: string
  readonly isChosen: boolean
}

export interface ColumnForm {
  readonly action: string
  readonly csrfToken: string | undefined
  /** Query of the list to which the form returns. */
  readonly query: string
  /** All columns, the chosen ones first and in their order. */
  readonly columns: readonly ColumnChoice[]
  /** The user may store the choice for others. */
  readonly mayShare: boolean
  readonly name: string
  readonly errors: readonly string[]
  readonly cancel: string
}

/** The columns of a list as check boxes. Their order in the form is the order of the columns. */
export const columnForm = (form: ColumnForm): Html =>
  html`<form class="card columns-form" method="post" action="${form.action}">
<input type="hidden" name="csrfmiddlewaretoken" value="${form.csrfToken ?? ''}"><input type="hidden" name="query" value="${form.query}">
${form.errors.length > 0 && html`<p class="notice bad" role="alert">${form.errors.join(' ')}</p>`}
<p>${translate('Checked columns are shown, in this order.')}</p>
<ol class="sortable">${form.columns.map(columnRow)}</ol>
<div class="buttons sticky"><button name="do" value="save">${translate('Save')}</button><button class="quiet" name="do" value="reset">${translate('Use the default columns')}</button><a class="button quiet" href="${form.cancel}">${translate('Cancel')}</a></div>
${form.mayShare && shareFields(form.name)}
</form>`

const columnRow = ({ name, label, isChosen }: ColumnChoice): Html =>
  html`<li><label><input type="checkbox" name="column" value="${name}"${isChosen && html` checked`}> <span>${label}</span></label><span class="moves"><button class="quiet" name="up" value="${name}" aria-label="${translate('Move {column} up', { column: label })}">↑</button><button class="quiet" name="down" value="${name}" aria-label="${translate('Move {column} down', { column: label })}">↓</button></span><input type="hidden" name="order" value="${name}"></li>\n`

const shareFields = (name: string): Content =>
  html`<fieldset><legend>${translate('Store as a table config')}</legend>
<div class="field"><label for="config-name">${translate('Name')}</label><input id="config-name" name="name" value="${name}" maxlength="100" autocomplete="off"></div>
<label><input type="checkbox" name="shared" value="true" checked> ${translate('Other users may use it')}</label>
<div class="buttons"><button class="quiet" name="do" value="store">${translate('Store')}</button></div></fieldset>`
