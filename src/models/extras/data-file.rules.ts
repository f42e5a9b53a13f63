import type { Read } from '../../schema/rule.ts'
import { dataFile } from '../core/data-file.ts'

/**
 * Preparation of objects with a data file: source and path are those of the file; without a file synchronisation is
 * disabled. NetBox 4.6.8 netbox/models/features.py.
 */
export const followDataFile = async ({
  next,
  read,
}: {
  readonly next: { readonly data_file: number | null }
  readonly read: Read
}): Promise<
  | { data_source: number; data_path: string }
  | { data_source: null; data_path: ''; auto_sync_enabled: false; data_synced: null }
> => {
  if (next.data_file === null) {
    return { data_source: null, data_path: '', auto_sync_enabled: false, data_synced: null }
  }
  const { source, path } = await read.get(dataFile, next.data_file)
  return { data_source: source, data_path: path }
}
