/** Takes observations of Diode's clients, and keeps their differences from the inventory. */
import {
  ANY_OBJECT,
  action,
  behaviourOf,
  foreignKey,
  GrpcError,
  type GrpcRequest,
  list,
  packCode,
  related,
  sql,
  storedObjects,
  table,
  text,
  type UntypedEffect,
  updateTable,
} from 'cadastre'
import { clientOf, createClient, issueToken, prepareClient, secretIsLong } from './credentials.ts'
import { acceptDrift, countDrift, ignoreDrift } from './decisions.ts'
import { applyRules, DRIFT, OBSERVATION, promiseText, RULE, refresh, SOURCE } from './drift.ts'
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
  const affected = (
    await observationsOf(database, model, ids, [...new Set(written.flatMap(searchTexts)), ...ids.map(promiseText)])
  ).map(({ id }) => id)
  if (affected.length === 0) return
  if (action === 'delete') {
    await database.execute(sql`
      ${updateTable(OBSERVATION)} set state = 'new', object_type = null, object_id = null, matched_by = '',
        keys = array(select k from unnest(keys) k where k not like '@%')
      where object_type = ${model} and object_id = any(${ids}::bigint[])`)
    if (model === 'dcim.site') {
      // The deletion of their objects has just stored further differences at these sites.
      await database.execute(sql`
        ${updateTable(DRIFT)} set site_id = null where site_id = any(${ids}::bigint[])`)
    }
  }
  await refresh({ stored, database }, affected)
  const moved = rows.flatMap(({ next, previous }) => (next && previous && next.site !== previous.site ? next.id : []))
  if (model === 'dcim.device' && moved.length > 0) {
    await database.execute(sql`
      ${updateTable(DRIFT)} d set site_id = p.site_id
      from ${table(OBSERVATION)} o, ${table(OBSERVATION)} q, ${table('dcim.device')} p
      where o.id = d.observation_id and q.id = o.parent_id and q.object_type = ${model} and q.object_id = p.id
        and p.id = any(${moved}::bigint[])`)
  }
}

const IDS = { type: 'array', items: { type: 'integer' }, minItems: 1, description: 'Ids of differences' } as const

export default packCode({
  fields: {
    [OBSERVATION]: {
      identity: text({ default: '', hidden: true, filter: false }),
      // Names, strong values, references and promised ids, by which observations are found.
      keys: list('text', { hidden: true, blank: true, default: [], filter: false }),
    },
    [DRIFT]: {
      // Only for filters, which find visible sites: whoever may view a component may not know where its device is.
      site: foreignKey('dcim.site', { nullable: true, onDelete: 'setNull', related: '+', hidden: true }),
    },
  },
  models: {
    [DRIFT]: { filters: { site_id: related('site', 'dcim.site', 'id'), site: related('site', 'dcim.site', 'slug') } },
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
      afterWrite: [
        async ({ rows, stored, database }) => {
          // Another person may have saved it, or the same one has other permissions now.
          await database.execute(sql`
            ${updateTable(DRIFT)} set problem = ''
            where rule_id = any(${rows.flatMap(({ next }) => next?.id ?? [])}::bigint[]) and problem <> ''`)
          await applyRules({ stored, database }, sql`true`)
        },
      ],
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
  jobs: [
    {
      name: 'reopen',
      label: 'End of ignored differences',
      everyMinutes: 5,
      run: async ({ service }) => {
        await service.database.transaction(async (database) => {
          // The members of dynamic groups change with time too.
          const isTimed = sql`(d.until < now() or exists (select from ${table(RULE)} g where g.group_id is not null))`
          await applyRules({ stored: storedObjects(service, database), database }, isTimed)
        })
      },
    },
  ],
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
      description:
        'Brings the inventory, or the branch, in line with what was observed, with the rights of the user, all or nothing: the differences of the body, or those that the filters of the list find.',
      methods: {
        POST: {
          handle: acceptDrift,
          permission: { view: DRIFT },
          hasDryRun: true,
          isPlannable: true,
          body: { type: 'object', properties: { ids: IDS } },
          answer: { type: 'object', properties: { accepted: { type: 'integer' } } },
        },
      },
    }),
    action({
      path: 'plugins/observed/drift/counts',
      title: 'Drift Counts',
      description: 'Numbers of differences by source, type, site, change and status; with the filters of the list.',
      methods: { GET: { handle: countDrift, permission: { view: DRIFT }, verb: 'list', answer: ANY_OBJECT } },
    }),
    action({
      path: 'plugins/observed/drift/ignore',
      title: 'Drift Ignoring',
      description:
        'Ignores differences, for good or until a time: those of the body, or those that the filters of the list find.',
      methods: {
        POST: {
          handle: ignoreDrift,
          permission: { change: DRIFT },
          body: {
            type: 'object',
            required: ['reason'],
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
