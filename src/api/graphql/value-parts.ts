import { quote } from '../../read/serialise/value-text.ts'
import type { ValueParts } from './source.ts'

/** A time as NetBox's GraphQL writes it: with the offset in digits. */
export const momentText = (value: unknown): string => `"${String(value).replace(/Z$/, '+00:00')}"`

/** An object that is shown by its id only. */
export const PRIMARY_KEY: ValueParts = { pk: (id) => `"${id}"` }

export const FAMILY_PARTS: ValueParts = {
  value: String,
  label: (family) => `"IPv${family}"`,
}

/** An uploaded file by its path below the media directory. */
export const FILE_PARTS: ValueParts = {
  name: quote,
  path: quote,
  url: (path) => quote(`/media/${path}`),
}
