/** Takes observations of Diode's clients, and keeps their differences from the inventory. */
import {
  type ApiRequest,
  action,
  behaviourOf,
  GrpcError,
  type GrpcRequest,
  type HttpResponse,
  integer,
  invalid,
  jsonResponse,
  list,
  packCode,
  permittedRows,
  requestOf,
  sql,
  table,
  text,
  type UntypedEffect,
  updateTable,
  writeAs,
} from 'cadastre'
import { accept, idsIn, itemsWithIds } from './accept.ts'
import { clientOf, createClient, issueToken, prepareClient, secretIsLong } from './credentials.ts'
import { applyRules, DRIFT, OBSERVATION, RULE, refresh, SOURCE } from './drift.ts'
import { ingest, observationsOf } from './intake.ts'
import { searchTexts } from './keys.ts'
import { observe } from './observe.ts'
import { DecodingError, decode } from './protobuf.ts'

/** Requests that one process handles or has waiting; further ones are refused. */
const MAX_REQUESTS = 200
/** Requests that one process handles at the same time. */
const AT_ONCE = 2
let requests = 0
let free = AT_ONCE
const waiting: (() => void)[] = []

/** `diode.v1.IngesterService/Ingest`. An empty response means that all was accepted. */
async function ingestCall({ service, message, metadata }: GrpcRequest): Promise<Uint8Array> {
  const client = await clientOf(service, metadata.authorization)
  if (requests >= MAX_REQUESTS)
    throw new GrpcError('resourceExhausted', 'Too many requests are waiting. Try again later.')
  requests += 1
  try {
    if (free === 0) await new Promise<void>((resolve) => waiting.push(resolve))
    else free -= 1
    try {
      await ingest(service, client, decode(message, 'IngestRequest'))
    } finally {
      const next = waiting.shift()
      if (next) next()
      else free += 1
    }
  } catch (error) {
    if (error instanceof DecodingError)
      throw new GrpcError('invalidArgument', `The request cannot be read: ${error.message}.`)
    throw error
  } finally {
    requests -= 1
  }
  return new Uint8Array()
}

/** Keeps observations and differences current when objects are written. */
async function followWrite(model: string, { action, rows, database, stored }: UntypedEffect): Promise<void> {
  if (stored.isBranch || model.startsWith('observed.')) return
  const written = rows.flatMap(({ next, previous }) => next ?? previous ?? [])
  const ids = written.map(({ id }) => id)
  const affected = (await observationsOf(database, model, ids, [...new Set(written.flatMap(searchTexts))])).map(
    ({ id }) => id,
  )
  if (affected.length === 0) return
  if (action === 'delete') {
    await database.execute(sql`
      ${updateTable(OBSERVATION)} set state = 'new', object_type = null, object_id = null, matched_by = ''
      where object_type = ${model} and object_id = any(${ids}::bigint[])`)
  }
  await refresh({ stored, database }, affected)
}

/** The ids of the body, if the user may do this with all these differences. Throws `invalid`. */
async function permittedIds(request: ApiRequest, permission: 'view' | 'change'): Promise<readonly number[]> {
  const { service, actor } = request
  const model = service.registry.model(DRIFT)
  const ids = idsIn(await request.body.read())
  const rows = permittedRows(actor, permission, model, service.settings)
  const [count] = await service.database.queryColumn(sql`
    select count(*) from ${table(DRIFT)} t where t.id = any(${ids}::bigint[])${rows === 'all' ? sql`` : sql` and ${rows}`}`)
  if (Number(count) !== new Set(ids).size) throw invalid({ ids: ['Some of these differences do not exist any more.'] })
  return ids
}

async function acceptDrift(request: ApiRequest): Promise<HttpResponse> {
  const ids = await permittedIds(request, 'view')
  await writeAs(request.service, requestOf(request), async (write) => {
    await accept(write, await itemsWithIds(write.database, ids))
  })
  return jsonResponse(200, { accepted: ids.length })
}

async function ignoreDrift(request: ApiRequest): Promise<HttpResponse> {
  const ids = await permittedIds(request, 'change')
  const { reason, until = null } = (await request.body.read()) as Readonly<Record<string, unknown>> // it has ids
  if (typeof reason !== 'string' || reason.trim() === '' || reason.length > 500) {
    throw invalid({ reason: ['Say why these differences are ignored, in at most 500 characters.'] })
  }
  if (until !== null && (typeof until !== 'string' || Number.isNaN(Date.parse(until)))) {
    throw invalid({ until: ['Enter a time, such as 2027-01-31T00:00:00Z.'] })
  }
  const { username } = requestOf(request).actor
  await request.service.database.transaction(async (database) => {
    await database.execute(sql`
      ${updateTable(DRIFT)} set ignored = true, until = ${until === null ? null : new Date(String(until)).toISOString()}::timestamptz,
        reason = ${reason}, ignored_by = ${username} where id = any(${ids}::bigint[])`)
    await applyRules(database, sql`d.id = any(${ids}::bigint[])`)
  })
  return jsonResponse(200, { ignored: ids.length })
}

const IDS = { type: 'array', items: { type: 'integer' }, minItems: 1, description: 'Ids of differences' } as const

export default packCode({
  fields: {
    [OBSERVATION]: {
      identity: text({ default: '', hidden: true, filter: false }),
      // Names, strong values and references, by which observations are found.
      keys: list('text', { hidden: true, blank: true, default: [], filter: false }),
      // The id that a program was told for an object that it has created.
      promised: integer({ size: 'big', nullable: true, hidden: true, filter: false }),
    },
  },
  behaviours: [
    behaviourOf('observed.client', { modelRules: [secretIsLong], beforeSave: [prepareClient] }),
    behaviourOf(RULE, {
      // A rule accepts with the rights of whoever has said so.
      beforeSave: [
        async ({ user, read }) => {
          const [id = null] = await read.database.queryColumn(
            sql`select id from ${table('users.user')} where username = ${user}`,
          )
          return { user: id === null ? null : Number(id) }
        },
      ],
      afterWrite: [async ({ database }) => await applyRules(database, sql`true`)],
    }),
    behaviourOf(SOURCE, {
      // Other defaults mean other differences.
      afterWrite: [
        async ({ rows, database, stored }) => {
          const ids = rows.flatMap(({ next, previous }) => (next && previous ? next.id : []))
          const observations = await database.queryColumn(sql`
            select id from ${table(OBSERVATION)} where source_id = any(${ids}::bigint[])`)
          await refresh({ stored, database }, observations.map(Number))
        },
      ],
    }),
  ],
  afterEveryWrite: [followWrite],
  endpoints: new Map([
    [
      '/diode/auth/token/',
      {
        ...{ name: 'Diode Token', description: 'Gives clients of Diode a token.', kind: 'file', access: 'public' },
        methods: { POST: { handle: issueToken, isReading: true } },
      },
    ],
  ]),
  observe,
  calls: { 'diode.v1.IngesterService/Ingest': ingestCall },
  actions: [
    action({
      path: 'plugins/observed/clients',
      title: 'Client Creation',
      methods: {
        POST: {
          handle: createClient,
          permission: { add: 'observed.client' },
          status: 201,
          body: { $ref: '#/components/schemas/ObservedClientRequest' },
          answer: { $ref: '#/components/schemas/ObservedClient' },
        },
      },
    }),
    action({
      path: 'plugins/observed/drift/accept',
      title: 'Drift Acceptance',
      description: 'Brings the inventory in line with what was observed, with the rights of the user, all or nothing.',
      methods: {
        POST: {
          handle: acceptDrift,
          permission: { view: DRIFT },
          hasDryRun: true,
          body: { type: 'object', required: ['ids'], properties: { ids: IDS } },
          answer: { type: 'object', properties: { accepted: { type: 'integer' } } },
        },
      },
    }),
    action({
      path: 'plugins/observed/drift/ignore',
      title: 'Drift Ignoring',
      description: 'Ignores differences, for good or until a time.',
      methods: {
        POST: {
          handle: ignoreDrift,
          permission: { change: DRIFT },
          body: {
            type: 'object',
            required: ['ids', 'reason'],
            properties: {
              ids: IDS,
              reason: { type: 'string', maxLength: 500 },
              until: { type: 'string', format: 'date-time', nullable: true },
            },
          },
          answer: { type: 'object', properties: { ignored: { type: 'integer' } } },
        },
      },
    }),
  ],
})
