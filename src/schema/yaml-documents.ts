import { loadAll } from 'js-yaml'
import type { Json } from './json.ts'

/** Values that a document may have for each of its characters: aliases of aliases make endlessly many of few. */
const MOST_PER_CHARACTER = 10

/**
 * Documents of a text, YAML 1.2 (core schema) or JSON. Throws an Error that names line and column where the text is neither: also for
 * names that an object has twice and for types of YAML that JSON lacks.
 */
export function readYamlDocuments(text: string): readonly Json[] {
  const documents = loadAll(text) as readonly Json[] // the core schema has no other types
  // Without an asterisk there is no alias.
  const size = text.includes('*') ? expandedSize(documents, new Map()) : 0
  if (size > MOST_PER_CHARACTER * text.length) {
    throw new Error('The aliases stand for too many values.')
  }
  return documents
}

/** Number of values with each alias counted as those that it stands for; infinite for an alias of what it is in. */
function expandedSize(value: Json, sizes: Map<object, number>): number {
  if (typeof value !== 'object' || value === null) return 1
  const counted = sizes.get(value)
  if (counted !== undefined) return counted
  sizes.set(value, Number.POSITIVE_INFINITY)
  let size = 1
  for (const part of Object.values(value) as readonly Json[]) size += expandedSize(part, sizes)
  sizes.set(value, size)
  return size
}
