import type { Json } from '../../schema/json.ts'

/** PostgreSQL stores neither the character 0 nor halves of surrogate pairs. */
const REPLACEMENT = '\ufffd'

/** The text as PostgreSQL can store it. */
export const storableText = (text: string): string => text.replaceAll('\0', REPLACEMENT).toWellFormed()

/** An escape for one of them, after an even number of backslashes. */
const ESCAPES = /(?<!\\)((?:\\\\)*)\\u(?:0000|d[89a-f][\da-f]{2})/g

/** The JSON text of a value as PostgreSQL can store it. */
export const storableJson = (value: Json): string => JSON.stringify(value).replace(ESCAPES, `$1${REPLACEMENT}`)
