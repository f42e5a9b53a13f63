import type { Model } from './registry.ts'

/** The fields of an object in a response to a request that names none, in their order. */
export function defaultFields({ answer, definition: { namedOnly = [] } }: Model): readonly string[] {
  return namedOnly.length === 0 ? answer : answer.filter((name) => !namedOnly.includes(name))
}
