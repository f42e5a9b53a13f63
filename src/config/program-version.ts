import { readFileSync } from 'node:fs'
import { join } from 'node:path'

// Read and not imported: the compiled program lies in a directory of its own, next to the same file.
const manifest: { readonly version: string } = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'),
)

/** Version of the program, equal to the version of the API that it implements. */
export const PROGRAM_VERSION = manifest.version
