import { shortened, wholeCharacters } from '../../schema/shortened.ts'
import { type Content, type Html, html } from '../html.ts'
import { numeral, translate } from '../texts/translate.ts'

/** The form above the results. */
interface SearchFormState {
  readonly text: string
  readonly lookup: string
  /** Lookups with their labels. */
  readonly lookups: readonly (readonly [name: string, label: string])[]
}

/** Link that narrows the results to one type, or shows all again. */
export interface TypeChip {
  readonly label: string
  readonly count: number
  readonly href: string
  readonly isCurrent: boolean
}

/** An object that was found. */
export interface SearchResult {
  /** Link to the object, with the context that distinguishes it. */
  readonly name: Html
  /** The matching field and its value; absent if the name already shows the match. */
  readonly match: { readonly label: string; readonly value: string } | undefined
  readonly facts: readonly { readonly label: string; readonly value: Content }[]
}

/** Results of one type. */
export interface ResultGroup {
  readonly label: string
  readonly count: number
  /** Page with all results of the type; undefined if all are shown. */
  readonly more: string | undefined
  readonly objects: readonly SearchResult[]
}

export const searchForm = ({ text, lookup, lookups }: SearchFormState): Html =>
  html`<form class="search-form" role="search" method="get" action="">
<label for="search-text" class="visually-hidden">${translate('Text, address or MAC address')}</label>
<input type="search" id="search-text" name="q" value="${text}" maxlength="500" placeholder="${translate('Name, serial, address, MAC address …')}" autofocus>
<label for="search-lookup" class="visually-hidden">${translate('Comparison')}</label>
<select id="search-lookup" name="lookup">${lookups.map(
    ([name, label]) => html`<option value="${name}"${name === lookup && html` selected`}>${label}</option>`,
  )}</select>
<button>${translate('Search')}</button>
</form>`

/** The types of the results, with which to narrow them. */
export const typeChips = (chips: readonly TypeChip[]): Html =>
  html`<nav class="type-chips" aria-label="${translate('Kinds of objects')}"><ul>${chips.map(
    ({ label, count, href, isCurrent }) =>
      html`<li><a href="${href}"${isCurrent && html` aria-current="true"`}>${label} <span class="number">${numeral(count)}</span></a></li>`,
  )}</ul></nav>`

/** Results under the headings of their types; `text` is marked in the values that match. */
export const resultGroups = (groups: readonly ResultGroup[], text: string): Html =>
  html`${groups.map(
    ({ label, count, more, objects }) => html`<section class="found">
<h2>${label} <span class="number">${numeral(count)}</span></h2>
<ul>${objects.map((object) => resultItem(object, text))}</ul>
${more !== undefined && html`<p><a href="${more}">${translate('All {count} {objects}', { count, objects: label })}</a></p>`}
</section>`,
  )}`

const resultItem = ({ name, match, facts }: SearchResult, text: string): Html => html`<li>
<p class="name">${name}</p>
${match && html`<p class="match">${match.label}: <bdi>${marked(match.value, text)}</bdi></p>`}
${facts.length > 0 && html`<dl>${facts.map(({ label, value }) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`)}</dl>`}
</li>\n`

/** Characters of a long value that are shown around the match. */
const AROUND = 60

/** The value, cut to the surroundings of the text, with the text marked. */
export function marked(value: string, text: string): Content {
  const at = value.toUpperCase().indexOf(text.toUpperCase())
  // The upper-case text may be longer, so the position would differ from that in the value.
  const isFound = at >= 0 && value.toUpperCase().length === value.length
  if (!isFound) return shortened(value, 3 * AROUND + 1)
  const end = at + text.length
  const before = at > AROUND ? `…${wholeCharacters(value.slice(at - AROUND, at))}` : value.slice(0, at)
  const after =
    value.length > end + 2 * AROUND ? `${wholeCharacters(value.slice(end, end + 2 * AROUND))}…` : value.slice(end)
  return html`${before}<mark>${value.slice(at, end)}</mark>${after}`
}
