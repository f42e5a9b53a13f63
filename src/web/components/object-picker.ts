import { type Html, html } from '../html.ts'
import { translate } from '../texts/translate.ts'

/** A chosen object, or one to choose. */
export interface PickedOption {
  readonly value: string
  readonly label: string
  /** Text that distinguishes it: the device of an interface. */
  readonly context: string
}

/** Choice among the objects of a model: a list if there are few, otherwise a search that also works without scripts. */
export interface ObjectPicker {
  readonly kind: 'picker'
  /** URL that returns choices, with the present filters; undefined until the type of the objects is known. */
  readonly choices: string | undefined
  /** Field of the object whose value is sent. */
  readonly key: 'id' | 'slug' | 'value'
  readonly isMultiple: boolean
  readonly chosen: readonly string[]
  readonly options: readonly PickedOption[]
  /** The options are complete. */
  readonly isComplete: boolean
  /** The outcome of a search; undefined if none was made. */
  readonly found?: { readonly words: string; readonly count: number } | undefined
  /** Address of the form for a new object; undefined for those who may not add one. */
  readonly addPage?: string | undefined
  /** Field of that form which takes the words that match no object. */
  readonly naming?: string | undefined
  /** Title of the objects' model, in lower case. */
  readonly noun: string
}

interface Surroundings {
  readonly name: string
  readonly label: string
  readonly id: string
  /** Attributes that every input has. */
  readonly common: Html
}

/** Prefix of the names of fields with words to search for. */
export const FIND = 'find.'

/** The list, the search below it, and the link to a form for a new object. */
export function pickerBox(picker: ObjectPicker, { name, label, id, common }: Surroundings): Html {
  const { choices, key, isMultiple, isComplete, addPage, naming, noun } = picker
  const isSearched = !isComplete && choices !== undefined
  return html`<div class="picker"${isSearched && html` data-choices="${choices}" data-key="${key}"`}${isMultiple && html` data-multiple`}>
<div class="pick"><select ${common}${isMultiple && html` multiple size="${Math.min(Math.max(picker.options.length, 2), 8)}"`}>${!isMultiple && html`<option value="">${emptyLabel(picker)}</option>`}${picker.options.map((option) => optionElement(option, picker.chosen))}</select>${addPage !== undefined && html`<a class="button quiet create" href="${addPage}" target="_blank" rel="opener"${naming !== undefined && html` data-naming="${naming}"`} aria-label="${translate('Add a new {model}', { model: noun })}" title="${translate('Add a new {model}', { model: noun })}">+</a>`}</div>
${isSearched && html`<div class="find"><input type="search" id="${id}-find" name="${FIND}${name}" aria-label="${translate('Search: {text}', { text: label })}" placeholder="${translate('Type to search')}" autocomplete="off"><button name="_find" value="${name}" class="quiet">${translate('Find')}</button></div>`}
${picker.found !== undefined && html`<p class="help" role="status">${foundText(picker.found)}</p>`}
</div>`
}

const emptyLabel = ({ choices, isComplete, options }: ObjectPicker): string => {
  if (choices === undefined) return translate('Choose a type first')
  return isComplete && options.length === 0 ? translate('None available') : '—'
}

const optionElement = ({ value, label, context }: PickedOption, chosen: readonly string[]): Html =>
  html`<option value="${value}"${chosen.includes(value) && html` selected`}>${label}${context !== '' && html` · ${context}`}</option>`

function foundText({ words, count }: { readonly words: string; readonly count: number }): string {
  if (count === 0) return translate('Nothing matches “{words}”.', { words })
  return translate('One match for “{words}”.|{count} matches for “{words}”: choose one.', {
    count,
    words,
  })
}
