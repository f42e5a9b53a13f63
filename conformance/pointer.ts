import { isList, isObject, type Json } from './json.ts'

/** The value at a JSON pointer (RFC 6901); undefined if there is none. */
export function valueAt(document: Json | undefined, pointer: string): Json | undefined {
  let value = document
  for (const part of pointer.split('/').slice(1)) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~')
    if (isList(value)) value = /^\d+$/.test(key) ? value[Number(key)] : undefined
    else if (isObject(value)) value = Object.hasOwn(value, key) ? value[key] : undefined
    else return undefined
  }
  return value
}
