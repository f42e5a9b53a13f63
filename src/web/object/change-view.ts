import { type Content, type Html, html } from '../components/html.ts'
import { translate } from '../texts/translate.ts'

/** A changed field: its value before and after the change. */
export interface ChangedField {
  readonly label: string
  readonly before: Content
  readonly after: Content
}

/** The changed fields of a change, one a row. */
export const changedFields = (changes: readonly ChangedField[]): Html =>
  changes.length === 0
    ? html`<p class="muted">${translate('No field was changed.')}</p>`
    : html`<div class="scroll" tabindex="0" role="region" aria-label="${translate('Changed fields')}"><table class="diff"><thead><tr><th scope="col">${translate('Field')}</th><th scope="col">${translate('Before')}</th><th scope="col">${translate('After')}</th></tr></thead>
<tbody>${changes.map(
        ({ label, before, after }) =>
          html`<tr><th scope="row">${label}</th><td class="before">${before}</td><td class="after">${after}</td></tr>`,
      )}</tbody></table></div>`
