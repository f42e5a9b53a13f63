import { ownValue } from '../../schema/json.ts'
import { type Content, type Html, html } from '../html.ts'
import { type Dictionary, dictionaries } from './dictionaries.ts'
import { currentLanguage, ENGLISH, type Language } from './language.ts'
import { piecesOf, type ValuesFor } from './placeholders.ts'

/** Attribute of the page's body with the translated texts of scripts; empty in English, which scripts contain. */
export const scriptTexts = (): Content => {
  const texts = dictionary()?.scripts
  return texts !== undefined && html` data-texts="${JSON.stringify(texts)}"`
}

/**
 * A text of the pages, in English, that is written in one place and translated in another. Any literal is one; the
 * property, which no text has, marks the type, so that `npm run texts` finds the literals.
 */
export type Text = string & { readonly isText?: never }

/**
 * The text in the language of the page, with the values in place of the placeholders. Numbers get the
 * separators of the language. The result is plain text: pages escape it as any other.
 */
export function translate<const Template extends Text>(
  text: Template,
  ...[values]: ValuesFor<Template, string | number>
): string {
  const filled: Readonly<Record<string, string | number>> = values ?? {}
  let translated = ''
  for (const piece of piecesOf(templateFor(text, filled.count)))
    translated += typeof piece === 'string' ? piece : argumentText(filled[piece.name])
  return translated
}

/**
 * A label of the registry in the language of the page, whatever its case: the title of a model, a field, a choice. A
 * label without a translation is returned unchanged.
 */
export function translateLabel(label: string): string {
  const key = label.toLowerCase()
  const labels = dictionary()?.labels
  return labels === undefined ? (ownValue(PLAIN_ENGLISH, key) ?? label) : (translationIn(labels, key) ?? label)
}

/** Labels of the API that people would not use, with better ones. */
const PLAIN_ENGLISH: Readonly<Record<string, string>> = { errored: 'Ended with an error' }

/**
 * A heading of the registry in the language of the page. English headings have a capital only at their beginning:
 * `Device Types` becomes `Device types`, and `IP Addresses` becomes `IP addresses`. Translations of nouns get one there.
 */
export function sentenceCase(label: string): string {
  const translated = dictionary() === undefined ? label : translateLabel(label)
  if (translated === label) return label.replaceAll(/(?<=[\w)][ -])[A-Z][a-z]+\b/g, (word) => word.toLowerCase())
  return /^\p{Lu}/u.test(label) ? translated.charAt(0).toUpperCase() + translated.slice(1) : translated
}

/**
 * The translation of the text, or the English text if there is none. Of plural forms, which `|` separates in the order
 * of the language's plural categories, the one for `count`.
 */
function templateFor(text: string, count: unknown): string {
  const translation = translationIn(dictionary()?.pages, text)
  const template = translation ?? text
  if (!template.includes('|')) return template
  const forms = template.split('|')
  const { rules, categories } = PLURALS[translation === undefined ? ENGLISH : currentLanguage()]
  return forms[categories.indexOf(rules.select(Number(count)))] ?? forms.at(-1) ?? template
}

const ORDER = ['zero', 'one', 'two', 'few', 'many', 'other'] as const

function pluralsOf(language: Language) {
  const rules = new Intl.PluralRules(language)
  const used = new Set(rules.resolvedOptions().pluralCategories)
  return { rules, categories: ORDER.filter((category) => used.has(category)) }
}

const PLURALS: Readonly<Record<Language, ReturnType<typeof pluralsOf>>> = {
  en: pluralsOf('en'),
  de: pluralsOf('de'),
}

/** The translations of the language of the page; undefined for English. */
export const dictionary = (): Dictionary | undefined => {
  const language = currentLanguage()
  return language === ENGLISH ? undefined : dictionaries[language]
}

/** The translation; undefined if it is missing or empty. */
const translationIn = (translations: Readonly<Record<string, string>> | undefined, text: string): string | undefined =>
  translations !== undefined && Object.hasOwn(translations, text) ? translations[text] || undefined : undefined

const argumentText = (value: string | number | undefined): string =>
  typeof value === 'number' ? numeral(value) : (value ?? '')

/** A number with the separators of the page's language: 1,024 or 1.024. */
export const numeral = (value: number): string => formatOf(currentLanguage()).format(value)

/** Created on first use, which takes some milliseconds each. */
const formats = new Map<Language, Intl.NumberFormat>()

function formatOf(language: Language): Intl.NumberFormat {
  const format = formats.get(language) ?? new Intl.NumberFormat(language)
  formats.set(language, format)
  return format
}

/**
 * The text in the language of the page, with markup in place of its placeholders: links, names in bold. `count` selects
 * the plural form, if the text has several.
 */
export function translateMarkup<const Template extends Text>(
  text: Template,
  ...[values]: ValuesFor<Template, Content>
): Html {
  const filled: Readonly<Record<string, Content>> = values ?? {}
  return html`${piecesOf(templateFor(text, filled.count)).map((piece) =>
    typeof piece === 'string' ? piece : filled[piece.name],
  )}`
}
