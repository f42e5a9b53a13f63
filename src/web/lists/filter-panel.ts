import { type Control, controlView } from '../components/control.ts'
import { type Html, html } from '../components/html.ts'
import { translate } from '../texts/translate.ts'

/** Filters that belong together. */
export interface FilterGroup {
  readonly label: string
  readonly controls: readonly Control[]
}

/** Search, page size and filters of a list, as one form. */
export interface FilterPanel {
  /** Path to which the form is submitted, with the base path. */
  readonly action: string
  /** Hidden fields: the marker of the form, and parameters that are no filters. */
  readonly kept: readonly (readonly [name: string, value: string])[]
  /** Text of the quick search; undefined where the model has none. */
  readonly words: string | undefined
  readonly sizes: readonly number[]
  readonly size: number | undefined
  readonly groups: readonly FilterGroup[]
  /** Number of filters in use. */
  readonly used: number
}

/** The form above a list. All but the quick search and the page size can be expanded. */
export function filterPanel(panel: FilterPanel): Html {
  const { action, kept, words, sizes, size, groups, used } = panel
  const isRefused = groups.some(({ controls }) =>
    controls.some(({ errors = [] }) => errors.length > 0),
  )
  return html`<form class="list-filters" method="get" action="${action}" role="search" aria-label="${translate('Filters')}">
${kept.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<div class="bar">
${words !== undefined && html`<label class="grow"><span class="visually-hidden">${translate('Search')}</span><input type="search" name="q" value="${words}" placeholder="${translate('Search in this list…')}" autocomplete="off"></label>`}
<label>${translate('Per page')} <select name="limit">${sizes.map((each) => html`<option value="${each}"${each === size && html` selected`}>${each}</option>`)}</select></label>
<button>${translate('Show')}</button>
</div>
${
  groups.length > 0 &&
  html`<details class="filter-panel"${isRefused && html` open`}><summary>${translate('Filters')}${used > 0 && html` <span class="count">${used}</span>`}</summary>
<div class="filter-groups">${groups.map(groupView)}</div>
<div class="buttons"><button>${translate('Show')}</button></div>
</details>`
}
</form>`
}

const groupView = ({ label, controls }: FilterGroup, place: number): Html =>
  html`<fieldset><legend class="${label === '' && 'visually-hidden'}">${label || translate('Filters')}</legend>${controls.map(
    (control, index) => controlView(control, `filter${place}-${index}`),
  )}</fieldset>`
