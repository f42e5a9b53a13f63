import { type Content, type Html, html } from '../components/html.ts'
import { translate } from '../texts/translate.ts'

/** A field that differs between the versions of an object. */
export interface VersionRow {
  readonly label: string
  readonly before: string
  readonly theirs: string
  /** Undefined where the user left it as it was. */
  readonly mine: string | undefined
  /** Both changed it. */
  readonly isConflict: boolean
}

/** A form that asks which version of an object is to stay. */
export interface VersionsForm {
  readonly action: string
  readonly hidden: Readonly<Record<string, readonly string[]>>
  readonly rows: readonly VersionRow[]
  /** Address of the form with the stored version. */
  readonly formPage: string
  readonly objectPage: string
}

/** The versions side by side, by field. */
export const versionsForm = ({
  action,
  hidden,
  rows,
  formPage,
  objectPage,
}: VersionsForm): Html => html`<div class="notice warn" role="alert"><p>${translate('Another user changed this object while the form was open. Nothing was saved yet.')}</p></div>
<form class="card" method="post" action="${action}">
${Object.entries(hidden).map(([name, values]) => values.map((value) => html`<input type="hidden" name="${name}" value="${value}">`))}
<div class="scroll"><table class="versions"><caption class="visually-hidden">${translate('Fields that differ')}</caption>
<thead><tr><th scope="col">${translate('Field')}</th><th scope="col">${translate('Before')}</th><th scope="col">${translate('Now, by another user')}</th><th scope="col">${translate('Yours')}</th></tr></thead>
<tbody>${rows.map(rowView)}</tbody></table></div>
<p class="help">${translate('Saving yours writes only the fields that you changed; all others stay as they are now.')}</p>
<div class="buttons"><button name="_save" value="1">${translate('Save mine')}</button><a class="button quiet" href="${formPage}">${translate('Take theirs and go on editing')}</a><a class="button quiet" href="${objectPage}">${translate('Take theirs')}</a></div>
</form>`

const rowView = ({ label, before, theirs, mine, isConflict }: VersionRow): Html =>
  html`<tr class="${isConflict && 'conflict'}"><th scope="row">${label}${isConflict && html` <span class="badge yellow">${translate('both')}</span>`}</th><td>${shown(before)}</td><td>${theirs === before ? html`<span class="no">${translate('not changed')}</span>` : shown(theirs)}</td><td>${mine === undefined ? html`<span class="no">${translate('not changed')}</span>` : shown(mine)}</td></tr>`

const shown = (text: string): Content =>
  text === ''
    ? html`<span class="no">${translate('empty')}</span>`
    : html`<bdi class="text">${text}</bdi>`
