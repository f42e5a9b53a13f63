import { requireUser } from '../../auth/require-user.ts'
import { invalid } from '../../errors.ts'
import { SYNCED_MODELS, type SyncedModel } from '../../models/extras/synced-models.ts'
import { dataWithin } from '../../output/read-source.ts'
import type { Fields } from '../../schema/field.ts'
import { sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { runWrite } from '../../write/run.ts'
import { writeRequestOf } from '../../write/write-request.ts'
import { type Action, type ActionRequest, type ActionResponse, schema } from '../action.ts'
import { answerObject } from '../answer-object.ts'
import { findTarget } from '../target.ts'

/** Copies the current content of the object's file; an object without a file is not changed. */
async function synchroniseObject(
  request: ActionRequest,
  { model: definition, field, read }: SyncedModel,
): Promise<ActionResponse> {
  const { service, base } = request
  const actor = requireUser(request)
  const model = service.registry.model(definition.name)
  // Both permissions are required, and each may cover different objects.
  await findTarget(request, model.name, { permission: 'sync' })
  const { id, data } = await findTarget<{ data: string | null }>(request, model.name, {
    columns: sql`, (select f.data from ${table('core.datafile')} f where f.id = t.data_file_id) as data`,
  })
  return await runWrite(service, writeRequestOf(request, actor), async (context) => {
    if (data !== null) {
      const content = read(data)
      if ('problem' in content) throw invalid({ [field]: [content.problem] })
      // Not validated as a body: the content of the file is stored exactly.
      const row = { id, ...{ [field]: content.value, data_synced: context.now } }
      await context.makeWriter(context).update<Fields>(definition, [row])
    }
    const source = dataWithin(service, context.transaction)
    return await answerObject(source, { model: model.name, id, base })
  })
}

function objectSync(synced: SyncedModel): Action {
  const { name, path, labels } = synced.model
  const title = labels[0].replace(/\b\w/g, (letter) => letter.toUpperCase())
  const schemaName = title.replaceAll(' ', '')
  return {
    path: `${path}/:id/sync`,
    title,
    methods: {
      POST: {
        permission: { view: name, sync: name },
        body: schema(`${schemaName}Request`),
        answer: schema(schemaName),
        hasDryRun: true,
        handle: (request) => synchroniseObject(request, synced),
      },
    },
  }
}

/** Endpoints that copy the content of a data file into the object that refers to it. */
export const objectSyncActions: readonly Action[] = SYNCED_MODELS.map(objectSync)
