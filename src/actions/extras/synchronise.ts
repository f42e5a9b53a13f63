import { parse } from 'yaml'
import { unauthenticated } from '../../auth/credentials.ts'
import { ApiError, invalid } from '../../errors.ts'
import { projectionOf } from '../../output/projection.ts'
import { fetchObjects } from '../../output/read-objects.ts'
import { dataWithin } from '../../output/read-source.ts'
import type { Fields } from '../../schema/field.ts'
import { isJsonObject } from '../../schema/json.ts'
import { sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { runWrite } from '../../write/run.ts'
import {
  type Action,
  type ActionRequest,
  type ActionResponse,
  answerText,
  schema,
} from '../action.ts'
import { findTarget } from '../target.ts'

/** A model whose content may come from a file of a data source. */
interface Synced {
  readonly model: string
  readonly path: string
  readonly title: string
  /** Name of its schema in OpenAPI. */
  readonly schema: string
  /** Field that receives the file's content. */
  readonly field: string
  /** The content is a JSON or YAML document rather than plain text. */
  readonly isDocument: boolean
}

const SYNCED: readonly Synced[] = [
  {
    model: 'extras.configcontext',
    path: 'extras/config-contexts',
    title: 'Config Context',
    schema: 'ConfigContext',
    field: 'data',
    isDocument: true,
  },
  {
    model: 'extras.configcontextprofile',
    path: 'extras/config-context-profiles',
    title: 'Config Context Profile',
    schema: 'ConfigContextProfile',
    field: 'schema',
    isDocument: true,
  },
  {
    model: 'extras.configtemplate',
    path: 'extras/config-templates',
    title: 'Config Template',
    schema: 'ConfigTemplate',
    field: 'template_code',
    isDocument: false,
  },
  {
    model: 'extras.exporttemplate',
    path: 'extras/export-templates',
    title: 'Export Template',
    schema: 'ExportTemplate',
    field: 'template_code',
    isDocument: false,
  },
]

/** Copies the current content of the object's file; an object without a file is not changed. */
async function synchronise(request: ActionRequest, synced: Synced): Promise<ActionResponse> {
  const { service, actor, base } = request
  if (actor.kind === 'anonymous') {
    throw unauthenticated('Authentication credentials were not provided.')
  }
  const model = service.registry.model(synced.model)
  // Both permissions are required, and each may cover different objects.
  await findTarget(request, synced.model, { permission: 'sync' })
  const { id, content } = await findTarget<{ content: string | null }>(request, synced.model, {
    columns: sql`, (select f.data from ${table('core.datafile')} f where f.id = t.data_file_id) as content`,
  })
  return await runWrite(
    service,
    { actor, requestId: request.id, origin: { method: 'POST', path: request.url.pathname } },
    async (context) => {
      if (content !== null) {
        const value = contentOf(content, synced)
        // Not validated as a body: the content of the file is stored exactly.
        await context
          .makeWriter(context)
          .update<Fields>(model.definition, [
            { id, ...{ [synced.field]: value, data_synced: context.now } },
          ])
      }
      const projection = projectionOf(service, model, { brief: false, excludeContext: false })
      const source = dataWithin(service, context.transaction)
      const texts = await fetchObjects(source, [id], projection, base)
      return answerText(texts.get(id) ?? '')
    },
  )
}

function contentOf(content: string, { isDocument, field }: Synced): unknown {
  const text = Buffer.from(content, 'base64').toString('utf8')
  if (!isDocument) return text
  const document = parseDocument(text, field)
  if (!isJsonObject(document)) {
    throw invalid({ [field]: ['The data file must hold an object.'] })
  }
  return document
}

function parseDocument(text: string, field: string): unknown {
  try {
    // JSON is a subset of YAML.
    return parse(text) ?? {}
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw invalid({ [field]: [`The data file is neither JSON nor YAML: ${why}`] })
  }
}

const fileSync = (synced: Synced): Action => ({
  path: `${synced.path}/:id/sync`,
  title: synced.title,
  methods: {
    POST: {
      permission: { view: synced.model, sync: synced.model },
      body: schema(`${synced.schema}Request`),
      answer: schema(synced.schema),
      handle: (request) => synchronise(request, synced),
    },
  },
})

/** Fetching the files of a data source is the work of a job, which this service does not run. */
const sourceSync: Action = {
  path: 'core/data-sources/:id/sync',
  title: 'Data Source',
  methods: {
    POST: {
      permission: { sync: 'core.datasource' },
      body: schema('WritableDataSourceRequest'),
      answer: schema('DataSource'),
      handle: async (request) => {
        await findTarget(request, 'core.datasource', { permission: 'sync' })
        throw new ApiError({
          kind: 'unavailable',
          detail: 'Unable to synchronise the data source: no worker is running.',
        })
      },
    },
  },
}

export const syncActions: readonly Action[] = [...SYNCED.map(fileSync), sourceSync]
