import type { GenericKeys } from '../../schema/generic-keys.ts'
import { type Content, type Html, html } from '../html.ts'
import { translate } from '../texts/translate.ts'
import { conditionRows } from './condition-rows.ts'
import { type ObjectPicker, pickerBox } from './object-picker.ts'

/** An option of a list. */
export interface Option {
  readonly value: string
  readonly label: string
  /** Path, below the base path, of the collection of the option (an object type). */
  readonly collection?: string
  /** Hue of a choice that has one. */
  readonly colour?: string | undefined
}

/** A selected object. */
export interface Chosen {
  readonly value: string
  readonly label?: string
}

/** Form control for a value. Each is a plain form field; the script adds a search to some. */
export type InputControl =
  | {
      readonly kind: 'text'
      readonly type: TextType
      readonly value: string
      readonly max?: number
      /** Further limits, by HTML attribute: min, max, step, minlength. */
      readonly limits?: Readonly<Record<string, string>>
    }
  | { readonly kind: 'lines'; readonly value: string; readonly rows: number }
  | { readonly kind: 'checkbox'; readonly isChecked: boolean }
  /** Conditions as rows, and as the JSON that is sent. */
  | { readonly kind: 'conditions'; readonly value: string }
  | {
      readonly kind: 'select'
      readonly options: readonly Option[]
      readonly chosen: readonly string[]
      /** Label of the empty option; absent: there is none. */
      readonly empty?: string
    }
  | {
      /** Any number of options of a list. */
      readonly kind: 'choices'
      readonly options: readonly Option[]
      readonly chosen: readonly string[]
      readonly empty: string
    }
  | {
      /** Any number of a few words, as check boxes. */
      readonly kind: 'checks'
      readonly options: readonly Option[]
      readonly chosen: readonly string[]
      /** Further words, separated by spaces, in a field below; absent: there are no others. */
      readonly others?: string
    }
  | {
      /** Objects of another collection. */
      readonly kind: 'objects'
      /** Path of the collection below the base path; absent: it depends on `typedBy` or `relation`. */
      readonly collection?: string
      readonly typedBy?: string
      /** A generic relation: objects of all of its types are offered, each as `<type>:<id>`. */
      readonly relation?: GenericRelation
      /** Field of the object whose value is sent. */
      readonly key: string
      readonly isMultiple: boolean
      readonly chosen: readonly Chosen[]
      /** Filters of the objects that are offered. */
      readonly offered?: URLSearchParams
      /** Label of a choice that stands for no object, whose value is `null`. */
      readonly none?: string
      /** Filters of the collection by the values of other controls: parameter → name of the control. */
      readonly narrowedBy?: Readonly<Record<string, string>>
    }
  | ObjectPicker
  | {
      readonly kind: 'file'
      /** Name of the stored file; empty: there is none. */
      readonly stored?: string
      readonly mayClear?: boolean
    }

/** The generic relation of a model. */
export interface GenericRelation {
  readonly model: string
  readonly name: string
}

export type TextType = 'text' | 'search' | 'number' | 'date' | 'datetime-local' | 'url' | 'email' | 'password'

/** Values that an input accepts: all numbers, and times to the second. */
const STEPS: Readonly<Partial<Record<TextType, string>>> = { number: 'any', 'datetime-local': '1' }

/** A labelled field of a form. */
export interface Control {
  readonly name: string
  readonly label: string
  readonly help?: string | undefined
  readonly isRequired?: boolean
  /** Error messages for the entered value. */
  readonly errors?: readonly (string | Html)[]
  readonly input: InputControl
  /** How the script converts the entered text to JSON. */
  readonly sentAs?: SentAs
  /** Names of the values in a body that this one sends, if they are not its own: the type and the id of an object. */
  readonly keys?: GenericKeys
  /** Heading of the group that it belongs to, for custom fields. */
  readonly group?: string | undefined
  /** Names of controls on whose values the choices of this one depend. */
  readonly dependsOn?: readonly string[]
  /** A form folds it while it has no value. */
  readonly isRare?: boolean
  /** With the present values of other controls, this one has no effect. */
  readonly isHidden?: boolean
  /** Its value follows from another control, and is sent in place of an entered one. */
  readonly isDecided?: boolean
  /** The page opens with the cursor here. */
  readonly isFocused?: boolean
  /** A check box that empties the field of several objects. */
  readonly clearing?: { readonly isChecked: boolean }
  /** A button previews the entered text; `shown` is the response, once it was requested. */
  readonly preview?: { readonly label: string; readonly content?: Html | undefined }
  /** Control from whose value this one is derived: the name from which a slug is made. */
  readonly madeFrom?: string
  /** An expression over fields: the script helps to write it. */
  readonly isExpression?: boolean
  /** Six hexadecimal digits: the script offers a picker of colors. */
  readonly isColor?: boolean
  /** Sent after an amount of time: before or after a date. */
  readonly direction?: 'before' | 'after'
  /** A list of lookups next to the input. */
  readonly lookup?: {
    readonly name: string
    readonly options: readonly Option[]
    readonly chosen: string
  }
}

/** `text` and `code` are sent unchanged, but an empty `code` as null. */
export type SentAs =
  | 'text'
  | 'textOrNull'
  | 'number'
  /** A number of Kbps, entered with any unit: `10 Gbps`. */
  | 'speed'
  /** An amount of time and its direction: negative before a date. */
  | 'offset'
  | 'boolean'
  | 'id'
  | 'ids'
  | 'words'
  /** Words that contain no space; a text may consist of several. */
  | 'openWords'
  | 'lines'
  /** Numbers and ranges, separated by commas: `1-8,10`. */
  | 'numbers'
  | 'ranges'
  /** A value and its label on each line, or a name and its value. */
  | 'pairs'
  | 'entries'
  /** Positions of other ports, as `port:position`. */
  | 'links'
  | 'json'
  | 'file'
  /** Objects of the type in the control `<name>_type`. */
  | 'typedIds'
  /** An object as `<type>:<id>`, under the names in `keys`. */
  | 'typedId'
  /** Helps to fill in other controls, and is not sent. */
  | 'none'

/** A form field with its label, help text and error messages. `isUnfolded`: it is in a separate popover. */
export function controlField(control: Control, prefix: string, isUnfolded = false): Html {
  const { name, label, help, isRequired = false, errors = [], sentAs, lookup } = control
  const id = `${prefix}-${name}`
  const texts = [help !== undefined && `${id}-help`, errors.length > 0 && `${id}-error`]
  const described = texts.filter((text) => text !== false).join(' ')
  const about = html`${described !== '' && html` aria-describedby="${described}"`}${errors.length > 0 && html` aria-invalid="true"`}`
  const isGroup = control.input.kind === 'checks' || (control.input.kind === 'choices' && isUnfolded)
  const { dependsOn, madeFrom, preview, clearing, isColor = false, isHidden = false, isExpression = false } = control
  const traits = html`${sentAs !== undefined && html` data-sent-as="${sentAs}"`}${dependsOn !== undefined && html` data-depends-on="${dependsOn.join(' ')}"`}${madeFrom !== undefined && html` data-made-from="${madeFrom}"`}${isColor && html` data-color`}${isExpression && html` data-expression`}`
  const caption = html`${label}${isRequired && html` <span class="required" title="${translate('required')}">*</span>`}`
  return html`<div class="field${isWide(control.input) && ' wide'}" data-field="${name}"${traits}${isHidden && html` hidden`}>
${isGroup ? html`<span class="label" id="${id}-label">${caption}</span>` : html`<label for="${id}">${caption}</label>`}
${lookup === undefined ? inputElement(control, id, about, isUnfolded) : html`<div class="pair"><select name="${lookup.name}" aria-label="${translate('{field}: comparison', { field: label })}">${lookup.options.map((option) => optionElement(option, [lookup.chosen]))}</select>${inputElement(control, id, about)}</div>`}
${preview !== undefined && html`<div><button name="_preview" value="${name}" class="quiet small">${preview.label}</button></div>${preview.content !== undefined && html`<div class="preview" role="status">${preview.content}</div>`}`}
${help !== undefined && html`<p class="help" id="${id}-help">${help}</p>`}
${errors.length > 0 && errorsOf(errors, `${id}-error`)}
${clearing && html`<label class="clearing"><input type="checkbox" name="_nullify" value="${name}"${clearing.isChecked && html` checked`}> ${translate('Clear')}<span class="visually-hidden">: ${label}</span></label>`}
</div>`
}

/** One message, or a list of several. */
const errorsOf = (errors: readonly (string | Html)[], id: string): Html =>
  errors.length === 1
    ? html`<p class="error" id="${id}">${errors[0]}</p>`
    : html`<ul class="error" id="${id}">${errors.map((text) => html`<li>${text}</li>`)}</ul>`

const isWide = (input: InputControl): boolean =>
  input.kind === 'conditions' || (input.kind === 'lines' && input.rows > 2)

function inputElement(control: Control, id: string, about: Content, isUnfolded = false): Html {
  const { name, input, isRequired = false, isFocused = false } = control
  const common = html`id="${id}" name="${name}"${isRequired && html` aria-required="true"`}${isFocused && html` autofocus`}${about}`
  switch (input.kind) {
    case 'text': {
      const { type, value, max } = input
      const limits = { ...(STEPS[type] !== undefined && { step: STEPS[type] }), ...input.limits }
      const complete = type === 'password' ? 'new-password' : 'off'
      return html`<input ${common} type="${type}"${Object.entries(limits).map(([limit, text]) => html` ${limit}="${text}"`)} value="${value}"${max !== undefined && html` maxlength="${max}"`} autocomplete="${complete}">`
    }
    case 'lines':
      // HTML drops the first line break after the tag, so the text needs one more.
      return html`<textarea ${common} rows="${input.rows}" spellcheck="false">
${input.value}</textarea>`
    case 'conditions':
      return conditionRows(name, input.value, common)
    case 'checkbox':
      return html`<input ${common} type="checkbox" value="true"${input.isChecked && html` checked`}>`
    case 'file':
      return html`<input ${common} type="file">${input.stored && html`<p class="help">${translate('Stored: {file}', { file: input.stored })}${input.mayClear && html` <label><input type="checkbox" name="_clear" value="${name}"> ${translate('Remove it')}</label>`}</p>`}`
    case 'select':
      return html`<div class="picker"><div class="pick"><select ${common}>${input.empty !== undefined && html`<option value="">${input.empty}</option>`}${input.options.map((option) => optionElement(option, input.chosen))}</select></div></div>`
    case 'choices':
      if (isUnfolded) return choiceMenu(name, input, id)
      return html`<div class="picker" data-multiple><div class="pick"><select ${common} multiple size="${Math.min(Math.max(input.options.length, 2), 8)}">${input.options.map((option) => optionElement(option, input.chosen))}</select></div></div>`
    case 'checks':
      return checkBoxes(control, input, id, about)
    case 'objects':
      return objectInputs(input, common, name)
    case 'picker':
      return pickerBox(input, { name, label: control.label, id, common })
  }
}

const optionElement = ({ value, label, collection, colour }: Option, chosen: readonly string[]): Html =>
  html`<option value="${value}"${collection !== undefined && html` data-collection="${collection}"`}${colour !== undefined && html` data-colour="${colour}"`}${chosen.includes(value) && html` selected`}>${label}</option>`

/** The options in a menu that opens separately. */
const choiceMenu = (
  name: string,
  { options, chosen }: Pick<Extract<InputControl, { kind: 'choices' }>, 'options' | 'chosen'>,
  id: string,
): Html =>
  html`<div class="menu" role="group" aria-labelledby="${id}-label">${options.map(
    ({ value, label, colour }) =>
      html`<label><input type="checkbox" name="${name}" value="${value}"${chosen.includes(value) && html` checked`}> <span${colour !== undefined && html` class="badge ${colour}"`}>${label}</span></label>`,
  )}</div>`

/** A check box for each option, and a text field for other words. */
function checkBoxes(
  { name, isFocused = false }: Control,
  { options, chosen, others }: Extract<InputControl, { kind: 'checks' }>,
  id: string,
  about: Content,
): Html {
  const boxes = options.map(
    ({ value, label }, index) =>
      html`<label><input type="checkbox" name="${name}" value="${value}"${chosen.includes(value) && html` checked`}${isFocused && index === 0 && html` autofocus`}> ${label}</label>`,
  )
  return html`<div class="checks" id="${id}" role="group" tabindex="-1" aria-labelledby="${id}-label"${about}>${boxes}${others !== undefined && html`<label class="others">${translate('Other')} <input type="text" name="${name}" value="${others}" autocomplete="off" autocapitalize="none" spellcheck="false"></label>`}</div>`
}

/** The largest number of words that are shown as check boxes. */
const MOST_CHECKS = 12

/** The input for any number of these words: check boxes, or a list if there are many. */
export const wordsInput = (options: readonly Option[], chosen: readonly string[]): InputControl =>
  options.length <= MOST_CHECKS ? { kind: 'checks', options, chosen } : { kind: 'choices', options, chosen, empty: '—' }

/** Plain inputs for the ids of objects; the script turns them into a search. */
function objectInputs(input: Extract<InputControl, { kind: 'objects' }>, common: Html, name: string): Html {
  const { collection, typedBy, key, isMultiple, chosen, narrowedBy = {} } = input
  const [first, ...others] = chosen
  const where = collection === undefined ? html` data-typed-by="${typedBy}"` : html` data-collection="${collection}"`
  const labelOf = (value: Chosen | undefined): Content =>
    value?.label !== undefined && html` data-label="${value.label}"`
  return html`<div class="objects" data-key="${key}"${where}${isMultiple && html` data-multiple`}${Object.keys(narrowedBy).length > 0 && html` data-narrowed-by="${JSON.stringify(narrowedBy)}"`}>
<input ${common} type="text" value="${first?.value ?? ''}"${labelOf(first)} placeholder="${key}" autocomplete="off">
${others.map((value) => html`<input type="text" name="${name}" value="${value.value}"${labelOf(value)} aria-label="${name}">`)}
</div>`
}
