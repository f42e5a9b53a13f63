import { oncePerText } from '../schema/once-per.ts'

/** Documents per owner that stay: objects of a model have few different ones, mostly the defaults of their custom fields. */
const MOST_SHARED = 100

/** Characters. Longer documents seldom repeat, and would take too much memory. */
const LONGEST_SHARED = 2_000

const textsOf = new WeakMap<object, string>()

/** The document of a JSON text, for documents that many rows have in common: the same frozen object for the same text. `owner`: the column. */
export const sharedDocument = oncePerText(
  MOST_SHARED,
  (_owner: object, text): object => shared(JSON.parse(text)),
  { longest: LONGEST_SHARED },
)

/** The document, frozen, with its text, which `textOfDocument` then does not write again. */
export function shared<T extends object>(document: T): Readonly<T> {
  textsOf.set(document, JSON.stringify(document))
  return frozen(document)
}

/** JSON text of a document. */
export const textOfDocument = (document: object): string =>
  textsOf.get(document) ?? JSON.stringify(document)

function frozen<T extends object>(document: T): Readonly<T> {
  for (const part of Object.values(document)) {
    if (typeof part === 'object' && part !== null) frozen(part)
  }
  return Object.freeze(document)
}
