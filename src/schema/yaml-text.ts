import { type ScalarTag, stringify } from 'yaml'
import { WrittenScalar } from './json.ts'

/** Numbers that keep their text, in YAML that this program writes. */
export const WRITTEN_SCALARS: ScalarTag = {
  tag: 'tag:yaml.org,2002:float',
  // Otherwise the tag would be written, too.
  default: true,
  identify: (value) => value instanceof WrittenScalar,
  resolve: (text) => text,
  stringify: ({ value }) => String(value),
}

/** YAML of a document. */
export const yamlText = (document: unknown): string =>
  stringify(document, { customTags: (tags) => [WRITTEN_SCALARS, ...tags] })
