import type { Read, Refusal } from '../../schema/rule.ts'
import { dataFile } from '../core/data-file.ts'
import type { ReadContent, SyncedField } from './file-content.ts'

/** The part of a row that determines the source of its content. */
interface FromFile {
  readonly data_file: number | null
}

/** The part of a change that these rules use. */
interface FileChange {
  readonly next: FromFile
  readonly previous: FromFile | undefined
  readonly read: Read
  readonly now: string
}

/**
 * Every update takes the content of the file, as in NetBox 4.6.8: the content of an object with a data file cannot be
 * edited. A creation stores what its body contains.
 */
const takesContent = ({ next, previous }: FileChange): boolean => previous !== undefined && next.data_file !== null

const contentFor = async ({ next, read }: FileChange, readContent: ReadContent): Promise<ReturnType<ReadContent>> =>
  readContent((await read.get(dataFile, next.data_file ?? 0)).data)

/**
 * Preparation of objects with a data file: source, path and content are those of the file. Without a file synchronisation
 * is disabled.
 */
export const followDataFile =
  ({ field, read: readContent }: SyncedField) =>
  async (change: FileChange): Promise<Record<string, never> | undefined> => {
    if (change.previous === undefined) return undefined
    if (change.next.data_file === null) {
      return fieldsOf({
        data_source: null,
        data_path: '',
        auto_sync_enabled: false,
        data_synced: null,
      })
    }
    const { source, path } = await change.read.get(dataFile, change.next.data_file)
    const followed = { data_source: source, data_path: path }
    const content = await contentFor(change, readContent)
    if ('problem' in content) return fieldsOf(followed)
    return fieldsOf({ ...followed, [field]: content.value, data_synced: change.now })
  }

/** Refuses a file whose content the object cannot take. */
export const fileIsUsable =
  ({ read: readContent }: SyncedField) =>
  async (change: FileChange): Promise<Refusal | undefined> => {
    if (!takesContent(change)) return undefined
    const content = await contentFor(change, readContent)
    return 'problem' in content ? { data_file: content.problem } : undefined
  }

/** All models with a data file declare these fields, each with its own types. */
const fieldsOf = (values: Readonly<Record<string, unknown>>): Record<string, never> => values as Record<string, never>
