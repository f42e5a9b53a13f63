/** Names in braces of a text: those of `Add {model}` are `model`. */
export type Placeholder<Template extends string> = Template extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholder<Rest>
  : never

/** The last argument of a function that fills in a text: a value for each placeholder, or none. */
export type ValuesFor<Template extends string, Value> = [Placeholder<Template>] extends [never]
  ? []
  : [values: Readonly<Record<Placeholder<Template>, Value>>]

const PLACEHOLDER = /\{(\w+)\}/g

type Pieces = readonly (string | { readonly name: string })[]

/** By template: the texts of pages and their translations. */
const cache = new Map<string, Pieces>()

/** A text of the pages, or its translation, in pieces: strings, and the names of the placeholders between them. */
export function piecesOf(template: string): Pieces {
  let pieces = cache.get(template)
  if (!pieces) {
    // Splitting by a group leaves its matches at the odd positions.
    pieces = template.split(PLACEHOLDER).map((piece, index) => (index % 2 === 1 ? { name: piece } : piece))
    cache.set(template, pieces)
  }
  return pieces
}
