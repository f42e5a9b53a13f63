import { currentLanguage } from './current-language.ts'
import type { Language } from './language.ts'

/** A number with the separators of the page's language: 1,024 or 1.024. */
export const numeral = (value: number): string => formatOf(currentLanguage()).format(value)

/** Made at their first use, which takes some milliseconds each. */
const formats = new Map<Language, Intl.NumberFormat>()

function formatOf(language: Language): Intl.NumberFormat {
  const format = formats.get(language) ?? new Intl.NumberFormat(language)
  formats.set(language, format)
  return format
}
