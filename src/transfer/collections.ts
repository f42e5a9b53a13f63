import { existsSync, globSync, statSync } from 'node:fs'
import { join, sep } from 'node:path'
import { ConfigurationError } from '../base/errors.ts'
import type { Model } from '../schema/registry.ts'
import { rootPathOf } from '../schema/root-path.ts'

/** A file of a data set: the objects of one endpoint. */
export interface Collection {
  /** `dcim/sites`. */
  readonly endpoint: string
  /** Path relative to the data set, for messages. */
  readonly file: string
  readonly path: string
  /** Bytes on disk. */
  readonly size: number
}

const NAME = /^(.*)\.jsonl(?:\.gz)?$/
/** Directory of data that the API does not show; see extra.ts. */
export const EXTRA = 'extra'

/** True if a data set has a file for the model: its objects have their own list. */
export const isCollection = (model: Model): boolean =>
  model.path.length > rootPathOf(model).length + 1 && (model.definition.methods ?? ['GET']).includes('GET')

/** Collections of the data set in `directory`, by name. Throws ConfigurationError if there is none. */
export function findCollections(directory: string): readonly Collection[] {
  if (!existsSync(directory)) throw new ConfigurationError(`There is no directory ${directory}.`)
  const collections = globSync(['*/*.jsonl{,.gz}', 'plugins/*/**/*.jsonl{,.gz}'], { cwd: directory })
    .map((file) => file.replaceAll(sep, '/'))
    .flatMap((file) => {
      const endpoint = NAME.exec(file)?.[1]
      return endpoint === undefined ? [] : [{ endpoint, file, path: join(directory, file) }]
    })
    .filter(({ endpoint }) => !endpoint.startsWith(`${EXTRA}/`))
    .sort((left, right) => (left.endpoint < right.endpoint ? -1 : 1))
    .map((file) => ({ ...file, size: statSync(file.path).size }))
  if (collections.length === 0) {
    throw new ConfigurationError(
      `${directory} contains no data set. Expected files named <app>/<endpoint>.jsonl or .jsonl.gz.`,
    )
  }
  return collections
}
