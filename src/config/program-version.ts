import { readFileSync } from 'node:fs'
import { join } from 'node:path'

// Read instead of imported: the compiled program is in its own directory, next to the same file.
const manifest: { readonly version: string } = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'),
)

/** Release of the program. The versions of its API are numbered as NetBox numbers them (api-version.ts). */
export const PROGRAM_VERSION = manifest.version
