import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { dictionaryFile } from '../src/web/texts/dictionaries.ts'
import { missingSentence, updatedDictionaries } from './translations.ts'

// Extracts the texts of pages into locales/*.json, and lists those without a translation. With --list, it only lists
// them. A commit may leave translations to a colleague who speaks the language; a release must have them all.

const { values } = parseArgs({ options: { list: { type: 'boolean', default: false } } })
for (const dictionary of await updatedDictionaries()) {
  const { language, ...content } = dictionary
  if (!values.list) writeFileSync(dictionaryFile(language), `${JSON.stringify(content, null, 2)}\n`)
  const sentence = missingSentence(dictionary)
  if (sentence !== undefined) console.log(sentence)
}
