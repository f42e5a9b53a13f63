import { type Control, controlView, type Option } from '../components/control.ts'
import { type Content, type Html, html } from '../components/html.ts'

/** Filters and order of a collection. */
export interface FilterForm {
  /** Path to which the form is submitted, with the base path. */
  readonly action: string
  /** Hidden fields: the marker of the form, and parameters that are no filters. */
  readonly kept: readonly (readonly [name: string, value: string])[]
  /** Search text; undefined where the collection has no search. */
  readonly words: string | undefined
  readonly main: readonly Control[]
  readonly more: readonly Control[]
  readonly orderings: readonly Option[]
  readonly ordering: string
  readonly sizes: readonly number[]
  readonly size: number | undefined
  /** Filters in use, each with the URL without it. */
  readonly uses: readonly { readonly label: string; readonly without: string }[]
}

/** The form: search and order are visible, all other filters can be expanded. */
export function filterForm(form: FilterForm): Html {
  const { action, kept, words, main, more, orderings, ordering, sizes, size, uses } = form
  return html`<form class="filters" method="get" action="${action}" role="search" aria-label="Filters">
${kept.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<div class="bar">
${words !== undefined && html`<label class="grow"><span class="visually-hidden">Search</span><input type="search" name="q" value="${words}" placeholder="Search…" autocomplete="off"></label>`}
<label>Order <select name="ordering"><option value="">As usual</option>${orderings.map((each) => option(each, ordering))}</select></label>
<label>Per page <select name="limit">${sizes.map((each) => option({ value: String(each), label: String(each) }, String(size ?? '')))}</select></label>
<button>Show</button>
</div>
<details class="more"><summary>Filters <span class="muted">${main.length + more.length}</span></summary>
<div class="fields">${main.map((control, index) => controlView(control, `filter${index}`))}</div>
${more.length > 0 && html`<details class="more"><summary>More filters</summary><div class="fields">${more.map((control, index) => controlView(control, `more${index}`))}</div></details>`}
<div class="buttons"><button>Show</button></div>
</details>
</form>
${uses.length > 0 && inUse(uses, action)}`
}

const option = ({ value, label }: Option, chosen: string): Html =>
  html`<option value="${value}"${value === chosen && html` selected`}>${label}</option>`

const inUse = (uses: FilterForm['uses'], action: string): Content => html`<p class="uses">
${uses.map(({ label, without }) => html`<a class="use" href="${without}" title="Remove this filter">${label} <span aria-hidden="true">×</span></a>\n`)}
<a href="${action}">Remove all</a></p>`
