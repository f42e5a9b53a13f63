import { type Content, type Html, html } from '../components/html.ts'
import { translate } from '../texts/translate.ts'

interface Chip {
  readonly label: string
  readonly value: string
  /** Address of the list without this filter. */
  readonly without: string
}

/** The filters in use, each with a link that removes it. */
export const filterChips = (chips: readonly Chip[], withoutAll: string, more: Content): Content =>
  chips.length > 0 &&
  html`<div class="chips"><span class="visually-hidden">${translate('Filters in use:')}</span>
<ul>${chips.map(chipView)}</ul><a href="${withoutAll}">${translate('Remove all')}</a>${more}</div>`

const chipView = ({ label, value, without }: Chip): Html =>
  html`<li class="chip"><span>${label}: <bdi>${value}</bdi></span><a href="${without}" aria-label="${translate('Remove the filter {filter}: {value}', { filter: label, value })}">×</a></li>\n`
