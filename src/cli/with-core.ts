import { type Core, openCore } from '../app/core.ts'
import { readSettings, type Settings } from '../config/settings.ts'
import { databaseText, requireDatabase } from './chosen-database.ts'

interface Opening {
  /** Value of the option `--new`, for commands that have it. */
  readonly isNew?: boolean | undefined
  /** The command says which database it changes. */
  readonly namesDatabase?: boolean
}

/**
 * Runs `work` with the program over the configured database, and closes it. Throws ConfigurationError if there is no
 * database, or if it cannot be opened.
 */
export async function withCore<T>(
  work: (core: Core) => Promise<T>,
  { isNew, namesDatabase = false }: Opening = {},
  settings: Settings = readSettings(process.env),
): Promise<T> {
  requireDatabase(settings, isNew)
  if (namesDatabase) console.error(`Database: ${databaseText(settings)}.`)
  const core = await openCore(settings, (sentence) => console.error(sentence))
  try {
    return await work(core)
  } finally {
    await core.close()
  }
}
