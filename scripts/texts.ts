import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { dictionaryFile } from '../src/web/texts/dictionaries.ts'
import { missingSentence, updatedDictionaries } from './translations.ts'

// Extracts the texts of pages into locales/*.json, and lists those without a translation. With --list, it only lists
// them: a commit may leave them to somebody who speaks the language, a release may not.

const { values } = parseArgs({ options: { list: { type: 'boolean', default: false } } })
for (const dictionary of await updatedDictionaries()) {
  const { language, ...content } = dictionary
  if (!values.list) writeFileSync(dictionaryFile(language), `${JSON.stringify(content, null, 2)}\n`)
  const sentence = missingSentence(dictionary)
  if (sentence !== undefined) console.log(sentence)
}
