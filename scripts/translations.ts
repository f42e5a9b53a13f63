import { dictionaries } from '../src/web/texts/dictionaries.ts'
import { pageTexts } from './page-texts.ts'
import { registryLabels } from './registry-labels.ts'

/** Translations by the English text, as a file in `locales` contains them. */
type Translations = Readonly<Record<string, string>>

/** A file in `locales`, brought up to date. */
export interface UpdatedDictionary {
  readonly language: string
  readonly pages: Translations
  readonly scripts: Translations
  readonly labels: Translations
  readonly unchanged: readonly string[]
}

/** The dictionaries with what the program displays: new texts have an empty translation, unused ones are gone. */
export async function updatedDictionaries(): Promise<readonly UpdatedDictionary[]> {
  const { pages, scripts } = pageTexts()
  const labels = await registryLabels()
  return Object.entries(dictionaries).map(([language, dictionary]) => {
    const shown = [...labels].filter((label) => !dictionary.unchanged.includes(label))
    return {
      language,
      pages: translationsOf(pages, dictionary.pages),
      scripts: translationsOf(scripts, dictionary.scripts),
      // Labels of choices and of the remaining fields stay.
      labels: translationsOf([...shown, ...Object.keys(dictionary.labels)], dictionary.labels),
      unchanged: dictionary.unchanged,
    }
  })
}

const translationsOf = (texts: Iterable<string>, translations: Translations): Translations =>
  Object.fromEntries([...new Set(texts)].sort().map((text) => [text, translations[text] ?? '']))

/** Texts without a translation. */
export const untranslated = ({ pages, scripts, labels }: UpdatedDictionary): readonly string[] =>
  [pages, scripts, labels].flatMap((part) => Object.keys(part).filter((text) => part[text] === ''))

/** A sentence that lists the untranslated texts; undefined if there are none. */
export function missingSentence(dictionary: UpdatedDictionary): string | undefined {
  const missing = untranslated(dictionary)
  if (missing.length === 0) return
  const language = new Intl.DisplayNames('en', { type: 'language' }).of(dictionary.language)
  const texts = missing.map((text) => `“${text}”`).join(', ')
  return `${language} translations are missing for ${texts}; run "npm run texts" and add them to locales/${dictionary.language}.json.`
}
