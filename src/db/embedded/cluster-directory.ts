import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { ConfigurationError } from '../../base/errors.ts'

/** Directory of the server's files. */
export const clusterDirectory = (dataDir: string): string => join(resolve(dataDir), 'postgres')

/** Whether a server has been created. */
export const hasCluster = (dataDir: string): boolean => existsSync(clusterDirectory(dataDir))

/** Directory of the database of earlier versions, which used PGlite. */
const formerDirectory = (dataDir: string): string => join(resolve(dataDir), 'database')

/**
 * One sentence about a DATA_DIR that contains only a database of an earlier version, which this one cannot read;
 * undefined for any other.
 */
export function formerDatabaseProblem(dataDir: string): string | undefined {
  const directory = formerDirectory(dataDir)
  if (hasCluster(dataDir) || !existsSync(join(directory, 'PG_VERSION'))) return undefined
  return `${directory} is a database of an earlier version, which this one cannot read: make a backup with the version that wrote it, and restore it with this one (docs/operate/install.md).`
}

/** Throws ConfigurationError with that sentence. */
export function refuseFormerDatabase(dataDir: string): void {
  const problem = formerDatabaseProblem(dataDir)
  if (problem !== undefined) throw new ConfigurationError(problem)
}
