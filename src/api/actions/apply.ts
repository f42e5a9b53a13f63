import { tooManyObjects } from '../../base/errors.ts'
import { requireUser } from '../../identity/require-user.ts'
import { isJsonObject } from '../../schema/json.ts'
import { applyDocument } from '../../write/apply/apply-document.ts'
import { runWrite } from '../../write/run.ts'
import { writeRequestOf } from '../../write/write-request.ts'
import { jsonResponse } from '../response.ts'
import { ANY_OBJECT, action, listOf, schema } from './action.ts'

/** Number of objects in a document; 0 for an invalid document. */
const objectsIn = (document: unknown): number =>
  isJsonObject(document) && isJsonObject(document.objects)
    ? Object.values(document.objects)
        .map((list) => (Array.isArray(list) ? list.length : 0))
        .reduce((sum, length) => sum + length, 0)
    : 0

/** POST of a document with objects of several models; creates and changes objects so that they match it. */
export const applyAction = action({
  path: 'apply',
  title: 'Apply',
  description:
    'Create and change the objects of a document, and delete objects within its scope that it does not list, all or none',
  methods: {
    POST: {
      permission: 'user',
      body: schema('ApplyRequest'),
      answer: schema('Applied'),
      hasDryRun: true,
      handle: async (request) => {
        const { service, base } = request
        const document = await request.body.read('exact')
        const most = service.settings.maxBulkObjects
        const stated = objectsIn(document)
        if (stated > most) throw tooManyObjects(stated, most)
        return await runWrite(service, writeRequestOf(request, requireUser(request)), async (context) => {
          const applied = await applyDocument(context, document)
          // Thrown within the transaction, so that nothing is stored.
          if (applied.length > most) throw tooManyObjects(applied.length, most)
          const number = (outcome: string) => applied.filter((object) => object.outcome === outcome).length
          return jsonResponse(200, {
            created: number('created'),
            updated: number('updated'),
            unchanged: number('unchanged'),
            deleted: number('deleted'),
            objects: applied.map(({ model, id, outcome }) => ({
              object_type: model.name,
              id,
              url: `${base}/api/${model.path}/${id}/`,
              outcome,
            })),
          })
        })
      },
    },
  },
  schemas: {
    ApplyRequest: {
      type: 'object',
      properties: {
        objects: {
          type: 'object',
          description: 'Lists of bodies by object type',
          additionalProperties: listOf(ANY_OBJECT),
        },
        prune: {
          type: 'object',
          additionalProperties: true,
          description:
            "List filters. Objects of the document's types that match all of them are deleted if the document does not list them.",
        },
        changelog_message: {
          type: 'string',
          maxLength: 200,
          description: 'Message for the change records of objects that have none of their own',
        },
      },
      required: ['objects'],
    },
    Applied: {
      type: 'object',
      properties: {
        created: { type: 'integer' },
        updated: { type: 'integer' },
        unchanged: { type: 'integer' },
        deleted: { type: 'integer' },
        objects: listOf({
          type: 'object',
          properties: {
            object_type: { type: 'string' },
            id: { type: 'integer' },
            url: { type: 'string', format: 'uri' },
            outcome: { type: 'string', enum: ['created', 'updated', 'unchanged', 'deleted'] },
          },
        }),
      },
    },
  },
})
