import {
  boolCoreTag,
  CORE_SCHEMA,
  defineScalarTag,
  floatCoreTag,
  intCoreTag,
  loadAll,
  mapTag,
  NOT_RESOLVED,
  type ScalarTagDefinition,
} from 'js-yaml'
import { type Json, WrittenScalar, YamlScalar } from './json.ts'

/** Maximum number of values per character of a document: nested aliases turn a few values into endlessly many. */
const MOST_PER_CHARACTER = 10

/** The tag, together with the text of each scalar. Infinite numbers, which JSON lacks, stay texts. */
const withText = (tag: ScalarTagDefinition<number> | ScalarTagDefinition<boolean>) =>
  defineScalarTag(tag.tagName, {
    implicit: true,
    implicitFirstChars: tag.implicitFirstChars,
    identify: () => false,
    resolve: (source, isExplicit, name) => {
      const value = tag.resolve(source, isExplicit, name)
      return typeof value === 'symbol' || (typeof value === 'number' && !Number.isFinite(value))
        ? NOT_RESOLVED
        : new YamlScalar(source, value)
    },
  })

/** Names as written. */
const nameOf = (key: unknown): unknown => (key instanceof WrittenScalar ? key.text : key)

const SCHEMA = CORE_SCHEMA.withTags(withText(boolCoreTag), withText(intCoreTag), withText(floatCoreTag), {
  ...mapTag,
  addPair: (map, key, value) => mapTag.addPair(map, nameOf(key), value),
  has: (map, key) => mapTag.has(map, nameOf(key)),
  get: (map, key) => mapTag.get(map, nameOf(key)),
})

/**
 * Documents of a text, YAML 1.2 (core schema) or JSON, in which plain numbers and booleans are `YamlScalar`. Throws an
 * Error that names line and column if the text is neither, if an object contains a name twice, or if it has types of
 * YAML that JSON lacks.
 */
export function readYamlDocuments(text: string): readonly Json[] {
  const documents = loadAll(text, { schema: SCHEMA }) as readonly Json[] // the schema has no other types
  // Without an asterisk there is no alias.
  const size = text.includes('*') ? expandedSize(documents, new Map()) : 0
  if (size > MOST_PER_CHARACTER * text.length) {
    throw new Error('The aliases expand to too many values.')
  }
  return documents
}

/** Number of values after alias expansion; infinite for a recursive alias. */
function expandedSize(value: Json | WrittenScalar, sizes: Map<object, number>): number {
  if (typeof value !== 'object' || value === null || value instanceof WrittenScalar) return 1
  const counted = sizes.get(value)
  if (counted !== undefined) return counted
  sizes.set(value, Number.POSITIVE_INFINITY)
  let size = 1
  for (const member of Object.values(value) as readonly Json[]) size += expandedSize(member, sizes)
  sizes.set(value, size)
  return size
}
