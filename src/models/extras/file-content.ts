import { asJson, isJsonObject, type Json } from '../../schema/json.ts'
import { readYamlDocuments } from '../../schema/yaml-documents.ts'

/** The content of a data file in the form that an object stores, or why it cannot be used. */
type FileContent = { readonly value: Json } | { readonly problem: string }

/** Reads the stored data (base64) of a file. */
export type ReadContent = (data: string) => FileContent

/** The file as text. */
const readText: ReadContent = (data) => {
  const text = textOf(data)
  return text === undefined ? NOT_TEXT : { value: text }
}

/** The JSON or YAML document in the file, which must be an object; an empty file is an empty object. */
const readDocument: ReadContent = (data) => {
  const text = textOf(data)
  if (text === undefined) return NOT_TEXT
  let document: Json
  try {
    // JSON is a subset of YAML.
    const [only, ...others] = readYamlDocuments(text)
    if (others.length > 0) throw new Error('There are several documents.')
    document = asJson(only ?? {}) as Json // of a document of JSON or YAML
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return { problem: `The data file is neither JSON nor YAML: ${reason}` }
  }
  if (!isJsonObject(document)) return { problem: 'The data file must contain an object.' }
  return JSON.stringify(document).includes('\\u0000') ? NOT_TEXT : { value: document }
}

const NOT_TEXT: FileContent = { problem: 'The data file must contain UTF-8 text.' }

/** PostgreSQL stores no text with the character zero. */
function textOf(data: string): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(data, 'base64'))
    return text.includes('\0') ? undefined : text
  } catch {
    return undefined
  }
}

/** The field of a model that receives the content of a data file. */
export interface SyncedField {
  readonly field: string
  readonly read: ReadContent
}

export const CONTEXT_DATA: SyncedField = { field: 'data', read: readDocument }
export const PROFILE_SCHEMA: SyncedField = { field: 'schema', read: readDocument }
export const TEMPLATE_CODE: SyncedField = { field: 'template_code', read: readText }
