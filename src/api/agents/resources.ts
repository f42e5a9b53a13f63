import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { JsonObject } from '../../schema/json.ts'
import type { Call } from './call.ts'
import { describeModel, viewableModels } from './reading-tools.ts'

const SCHEME = 'cadastre://'
const SCHEMAS = `${SCHEME}schema/`
const DOCUMENTS = `${SCHEME}docs/`
const MARKDOWN = 'text/markdown'
const JSON_TYPE = 'application/json'

/** The documents that help to use the tools, by their path in `docs/`. */
const TITLES: Readonly<Record<string, string>> = {
  'use/agents.md': 'What agents can do, and how plans work',
  'use/rest-api.md': 'The REST API: filters, lookups, fields, GraphQL',
  'use/apply.md': 'Documents that describe a desired state',
  'use/safe-writes.md': 'Writes: bodies, dry runs, upserts, conditions',
  'use/clients.md': 'Clients of other languages, and recipes for common tasks',
  'use/history.md': 'Changes, past states and undo',
  'use/branches.md': 'Branches, conflicts, merges and change requests',
  'operate/permissions.md': 'Permissions and what they hide',
}

/** The documents, and the schemas of the object types that the caller may view. */
export const listedResources = (call: Call): readonly JsonObject[] => [
  ...Object.entries(TITLES).map(([path, title]) => ({ uri: DOCUMENTS + path, name: path, title, mimeType: MARKDOWN })),
  ...viewableModels(call).map(({ name }) => ({ uri: SCHEMAS + name, name, mimeType: JSON_TYPE })),
]

export const RESOURCE_TEMPLATES: readonly JsonObject[] = [
  {
    ...{ uriTemplate: `${SCHEMAS}{type}`, name: 'schema', title: 'Fields and filters of an object type' },
    ...{ description: 'The same as the tool "describe" with a type, such as dcim.device.', mimeType: JSON_TYPE },
  },
]

/** The content of a resource; undefined if there is none, or if the caller may not view the object type. */
export async function resourceContent(call: Call, uri: string): Promise<JsonObject | undefined> {
  const path = uri.startsWith(DOCUMENTS) ? uri.slice(DOCUMENTS.length) : ''
  if (Object.hasOwn(TITLES, path)) {
    const text = await readFile(resolve(import.meta.dirname, '../../../docs', path), 'utf8')
    return { uri, mimeType: MARKDOWN, text }
  }
  const model = viewableModels(call).find(({ name }) => uri === SCHEMAS + name)
  return model && { uri, mimeType: JSON_TYPE, text: JSON.stringify(describeModel(call, model)) }
}
