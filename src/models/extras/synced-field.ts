import { type ReadContent, readDocument, readText } from './file-content.ts'

/** The field of a model that receives the content of a data file. */
export interface SyncedField {
  readonly field: string
  readonly read: ReadContent
}

export const CONTEXT_DATA: SyncedField = { field: 'data', read: readDocument }
export const PROFILE_SCHEMA: SyncedField = { field: 'schema', read: readDocument }
export const TEMPLATE_CODE: SyncedField = { field: 'template_code', read: readText }
