import {
  boolCoreTag,
  CORE_SCHEMA,
  type DumpOptions,
  defineScalarTag,
  dump,
  floatCoreTag,
  intCoreTag,
  NOT_RESOLVED,
  type ScalarTagDefinition,
} from 'js-yaml'
import { WrittenScalar } from './json.ts'

/** The tag, also for numbers and booleans that keep their text. */
const alsoWritten = <Value>(tag: ScalarTagDefinition<Value>) =>
  defineScalarTag(tag.tagName, {
    ...tag,
    identify: (value) =>
      value instanceof WrittenScalar
        ? tag.resolve(value.text, false, tag.tagName) !== NOT_RESOLVED
        : tag.identify(value),
    represent: (value) => (value instanceof WrittenScalar ? value.text : tag.represent(value)),
  })

const SCHEMA = CORE_SCHEMA.withTags(alsoWritten(boolCoreTag), alsoWritten(intCoreTag), alsoWritten(floatCoreTag))

/** YAML of a document, without properties that are undefined; long texts are not folded. */
export const yamlText = (document: unknown, transform?: DumpOptions['transform']): string =>
  dump(document, {
    schema: SCHEMA,
    quoteStyle: 'double',
    lineWidth: -1,
    noRefs: true,
    skipInvalid: true,
    ...(transform && { transform }),
  })
