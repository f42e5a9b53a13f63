import { type Content, type Html, html } from '../components/html.ts'
import { translate } from '../texts/translate.ts'

interface SavedFilterRow {
  readonly id: number
  readonly name: string
  readonly isDefault: boolean
  /** Address of the list with the filter, and of its form. */
  readonly href: string
  readonly editHref: string
}

export interface SavedFilterPage {
  readonly action: string
  readonly csrfToken: string | undefined
  /** The filters to save, as a query. */
  readonly query: string
  /** The same in words. */
  readonly words: readonly string[]
  readonly name: string
  readonly errors: readonly string[]
  /** The user may add saved filters. */
  readonly maySave: boolean
  readonly saved: readonly SavedFilterRow[]
}

/** A form that saves the filters of a list, and the filters saved before: one may be the user's default. */
export const savedFilterPage = (page: SavedFilterPage): Html =>
  html`${page.errors.length > 0 && html`<p class="notice bad" role="alert">${translate('Nothing was saved.')} ${page.errors.join(' ')}</p>`}
${page.maySave && saveForm(page)}
${page.saved.length > 0 && defaultForm(page)}`

const saveForm = ({ action, csrfToken, query, words, name }: SavedFilterPage): Content =>
  words.length === 0
    ? html`<p class="notice">${translate('To save a filter, set it in the list first.')}</p>`
    : html`<form class="card" method="post" action="${action}"><h2>${translate('Save these filters')}</h2>
<input type="hidden" name="csrfmiddlewaretoken" value="${csrfToken ?? ''}"><input type="hidden" name="query" value="${query}">
<ul>${words.map((each) => html`<li><bdi>${each}</bdi></li>`)}</ul>
<div class="field"><label for="filter-name">${translate('Name')}</label><input id="filter-name" name="name" value="${name}" maxlength="100" required autocomplete="off"></div>
<p><label><input type="checkbox" name="shared" value="true"> ${translate('Other users may use it')}</label></p>
<p><label><input type="checkbox" name="default" value="true"> ${translate('Use it whenever I open this list')}</label></p>
<div class="buttons"><button name="do" value="save">${translate('Save')}</button></div></form>`

const defaultForm = ({ action, csrfToken, query, saved }: SavedFilterPage): Html =>
  html`<form class="card" method="post" action="${action}"><h2>${translate('My default')}</h2>
<input type="hidden" name="csrfmiddlewaretoken" value="${csrfToken ?? ''}"><input type="hidden" name="query" value="${query}">
<fieldset class="plain"><legend class="visually-hidden">${translate('Filter that the list starts with')}</legend>
<p><label><input type="radio" name="filter" value=""${!saved.some(({ isDefault }) => isDefault) && html` checked`}> ${translate('No filter')}</label></p>
${saved.map(({ id, name, isDefault, href, editHref }) => html`<p><label><input type="radio" name="filter" value="${id}"${isDefault && html` checked`}> <bdi>${name}</bdi></label> · <a href="${href}">${translate('Show')}</a> · <a href="${editHref}">${translate('Edit')}</a></p>`)}</fieldset>
<div class="buttons"><button name="do" value="default">${translate('Set as my default')}</button></div></form>`
