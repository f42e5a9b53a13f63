import { AsyncLocalStorage } from 'node:async_hooks'

/** Languages of the pages, each by its own name. Responses of the API are English. */
export const LANGUAGES = { en: 'English', de: 'Deutsch' } as const

/** Code of a language of the pages, in the form of BCP 47. */
export type Language = keyof typeof LANGUAGES

/** The language of texts without a translation, and of readers who prefer none of the others. */
export const ENGLISH = 'en' satisfies Language

/** The language of this tag, in any case and of any region (`de-AT`); undefined for all other values. */
export function languageNamed(tag: unknown): Language | undefined {
  if (typeof tag !== 'string') return undefined
  const [code = ''] = tag.trim().toLowerCase().split('-')
  return Object.hasOwn(LANGUAGES, code) ? (code as Language) : undefined
}

/** The first language of the pages by the weights of an `Accept-Language` header (RFC 9110 §12.5.4); English for none. */
export function languageAccepted(header: string | undefined): Language {
  const ranges = (header ?? '').split(',', MOST_RANGES).map((range) => {
    const [tag = '', ...parameters] = range.split(';').map((part) => part.trim())
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
    return { language: languageNamed(tag), weight: weight === undefined ? 1 : Number(weight) }
  })
  const usable = ranges.filter(({ language, weight }) => language !== undefined && weight > 0)
  return usable.sort((some, other) => other.weight - some.weight)[0]?.language ?? ENGLISH
}

/** Maximum number of ranges of a header that are read: browsers send fewer than ten. */
const MOST_RANGES = 30

const languages = new AsyncLocalStorage<Language>()

/** Result of `work`; in it and everything that it calls, `translate` uses this language. */
export const inLanguage = <Result>(language: Language, work: () => Result): Result => languages.run(language, work)

/** Language of the page being built; English outside a page. */
export const currentLanguage = (): Language => languages.getStore() ?? ENGLISH
