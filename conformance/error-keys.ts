import { isList, isObject, type Json } from './json.ts'

/**
 * The positions of messages in an error body: paths joined by dots, with the index for an element of a list (`name`,
 * `tags.0`, `1.slug`), sorted. A bare list of messages has no position.
 */
export function errorKeys(body: Json | undefined): string[] {
  const found = new Set<string>()
  const walk = (node: Json | undefined, path: readonly string[]): void => {
    if (isObject(node)) {
      for (const [key, value] of Object.entries(node)) walk(value, [...path, key])
    } else if (isList(node) && node.some((item) => isObject(item) || isList(item))) {
      for (const [index, item] of node.entries()) walk(item, [...path, String(index)])
    } else if (path.length > 0) {
      found.add(path.join('.'))
    }
  }
  walk(body, [])
  return [...found].sort()
}

/** The keys of an error body's outermost object, sorted; none for other bodies. */
export function topLevelKeys(body: Json | undefined): string[] {
  return isObject(body) ? Object.keys(body).sort() : []
}
