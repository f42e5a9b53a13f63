import { databaseUrlOfTest } from './database.ts'
import { directoryOfTest } from './directory.ts'

/** Environment of a program that the current test starts: a new database with the tables of all models. */
export const environmentOfTest = async () => ({
  DATA_DIR: directoryOfTest(),
  DATABASE_URL: await databaseUrlOfTest('migrated'),
})
