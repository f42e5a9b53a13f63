import type { FormValues } from '../../api/transport/body.ts'
import type { Control, Option, SentAs } from '../components/control.ts'
import { FIND } from '../components/object-picker.ts'
import { translate } from '../texts/translate.ts'

/** Texts of a form by name, as a browser sends them. */
export type FormTexts = ReadonlyMap<string, readonly string[]>

/** The texts of a submitted form. Browsers send line breaks as CR LF. */
export const textsOfForm = (form: FormValues): FormTexts =>
  new Map(
    [...form].map(([name, values]) => [
      name,
      values.filter((text) => typeof text === 'string').map((text) => text.replaceAll('\r\n', '\n')),
    ]),
  )

/** Words to search for in a form that is used without scripts, by the name of the control. */
export const searchedWords = (texts: FormTexts): ReadonlyMap<string, string> =>
  new Map(
    [...texts].flatMap(([name, [text = '']]) =>
      name.startsWith(FIND) && text.trim() !== '' ? [[name.slice(FIND.length), text] as const] : [],
    ),
  )

/** The texts of a query. */
export const textsOfQuery = (query: URLSearchParams): FormTexts =>
  new Map([...query.keys()].map((name) => [name, query.getAll(name)]))

/** Texts that the untouched control sends. */
export function shownTexts({ input, direction }: Control): readonly string[] {
  switch (input.kind) {
    case 'text':
      return direction === undefined ? [input.value] : [input.value, direction]
    case 'lines':
    case 'conditions':
      return [input.value]
    case 'checkbox':
      return input.isChecked ? ['true'] : []
    case 'select':
      return input.chosen.slice(0, 1)
    case 'choices':
    case 'picker':
      // Browsers send the chosen options in the order in which the control lists them.
      return input.options.map(({ value }) => value).filter((value) => input.chosen.includes(value))
    case 'checks': {
      const checked = input.options.map(({ value }) => value).filter((value) => input.chosen.includes(value))
      return input.others === undefined ? checked : [...checked, input.others]
    }
    case 'objects':
      return input.chosen.map(({ value }) => value)
    case 'file':
      return []
  }
}

/** Whether two lists of texts mean the same value. */
export const isSame = (some: readonly string[], others: readonly string[]): boolean => keyOf(some) === keyOf(others)

const keyOf = (texts: readonly string[]): string => JSON.stringify(texts.filter((text) => text !== ''))

/** What separates the items of a list that is written as one text. */
const SEPARATORS: Readonly<Partial<Record<SentAs, string>>> = {
  lines: '\n',
  pairs: '\n',
  entries: '\n',
  numbers: ',',
  ranges: ',',
}

/** The text of a control: a query repeats a parameter for each item of a list, a form sends one text. */
function oneText({ sentAs = 'text' }: Control, texts: readonly string[]): string {
  // The direction is a list beside the amount.
  if (sentAs === 'offset') return texts[0]?.replace(/^-/, '') ?? ''
  const separator = SEPARATORS[sentAs]
  return separator === undefined ? (texts.at(-1) ?? '') : texts.join(separator)
}

/** The control with these texts instead of its own. */
export function withTexts(control: Control, texts: readonly string[]): Control {
  const { input } = control
  switch (input.kind) {
    case 'text':
      if (input.type === 'password') return control
      return { ...control, input: { ...input, value: oneText(control, texts) } }
    case 'lines':
    case 'conditions':
      return { ...control, input: { ...input, value: oneText(control, texts) } }
    case 'checkbox':
      return { ...control, input: { ...input, isChecked: texts.some(isYes) } }
    case 'select':
    case 'choices': {
      const chosen = knownOf(input.options, texts)
      // A list without an empty option keeps its value.
      const isKept = chosen.length === 0 && input.kind === 'select' && input.empty === undefined
      return isKept ? control : { ...control, input: { ...input, chosen } }
    }
    case 'checks': {
      const chosen = knownOf(input.options, texts)
      if (input.others === undefined) return { ...control, input: { ...input, chosen } }
      const unlisted = texts.filter((text) => text !== '' && !chosen.includes(text)).join(' ')
      return { ...control, input: { ...input, chosen, others: unlisted } }
    }
    case 'objects': {
      const labels = new Map(input.chosen.map(({ value, label }) => [value, label]))
      const chosen = texts.filter(Boolean).map((value) => {
        const label = labels.get(value)
        return label === undefined ? { value } : { value, label }
      })
      return { ...control, input: { ...input, chosen } }
    }
    case 'picker':
    case 'file':
      return control
  }
}

/** Queries that fill in a form may contain either. */
const isYes = (text: string): boolean => /^(true|on|1)$/i.test(text)

const knownOf = (options: readonly Option[], texts: readonly string[]): readonly string[] =>
  texts.filter((text) => options.some(({ value }) => value === text))

/** The value of a control in readable form. */
export function textOfControl({ input }: Control): string {
  switch (input.kind) {
    case 'checkbox':
      return input.isChecked ? translate('Yes') : translate('No')
    case 'select':
    case 'choices':
    case 'checks':
    case 'picker': {
      const labels = new Map(input.options.map(({ value, label }) => [value, label]))
      return input.chosen
        .filter(Boolean)
        .map((value) => labels.get(value) ?? value)
        .concat((input.kind === 'checks' && input.others) || [])
        .join(', ')
    }
    case 'objects':
      return input.chosen.map(({ value, label }) => label ?? value).join(', ')
    case 'text':
    case 'lines':
    case 'conditions':
      return input.value
    case 'file':
      return ''
  }
}

/** The form's texts under the name; none without a form. */
export const textsIn = (form: FormValues | undefined, name: string): readonly string[] =>
  (form?.get(name) ?? []).filter((text) => typeof text === 'string')

/** The last of them; empty if there is none. */
export const textIn = (form: FormValues | undefined, name: string): string => textsIn(form, name).at(-1) ?? ''
