import { quote } from '../../schema/fields/kind.ts'
import type { ValueParts } from './source.ts'

/** An object of which only the id is shown. */
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
