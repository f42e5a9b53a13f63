import { type Control, controlField } from '../components/control.ts'
import { csrfField } from '../components/csrf-field.ts'
import { type Content, type Html, html } from '../html.ts'
import { translate } from '../texts/translate.ts'
import { type ComparedLine, lineDifference } from './line-difference.ts'

/** Name of the field with the text to compare with. */
export const OTHER_TEXT = 'other'

/** The form for a text with which to compare the page's own text; it leads back to this page. */
export const comparisonForm = (csrfToken: string | undefined, entered: string): Html =>
  html`<form method="post">${csrfField(csrfToken)}
<label>${translate('Earlier configuration')} <textarea name="${OTHER_TEXT}" rows="6" spellcheck="false">
${entered}</textarea></label><div class="buttons"><button class="quiet">${translate('Compare')}</button></div></form>`

/** The form for another state of the object with which to compare this one. */
export const stateForm = (controls: readonly Control[]): Html =>
  html`<form class="edit" method="get"><div class="fields">${controls.map((control) => controlField(control, 'compared'))}</div><div class="buttons"><button class="quiet">${translate('Compare')}</button></div></form>`

/** The lines of two texts: those of the earlier one only, of the later one only, and of both. */
export function comparisonTable(before: string, after: string): Content {
  const lines = lineDifference(before, after)
  const changed = lines.filter(({ kind }) => kind !== 'same').length
  if (changed === 0) return html`<p class="notice good" role="status">${translate('Both texts are the same.')}</p>`
  return html`<p role="status">${translate('{count} line differs.|{count} lines differ.', { count: changed })}</p><pre class="code compared" tabindex="0">${lines.map(comparedLine)}</pre>`
}

const comparedLine = ({ kind, text }: ComparedLine): Html => {
  if (kind === 'same') return html`  ${text}\n`
  return kind === 'removed' ? html`<del>- ${text}</del>\n` : html`<ins>+ ${text}</ins>\n`
}
