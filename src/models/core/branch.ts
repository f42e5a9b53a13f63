import { randomInt } from 'node:crypto'
import { choices } from '../../schema/choices.ts'
import { comments, description, LOGGED, timestamps } from '../../schema/common.ts'
import { choice, dateTime, foreignKey, json, tags, text } from '../../schema/field.ts'
import { model } from '../../schema/model.ts'
import { behaviour, type EffectFunction, type Normalizer, type Rule } from '../../schema/rule.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { registered, words } from '../../schema/view.ts'
import { sql, volatile } from '../../sql/fragment.ts'
import { deleteFrom, table } from '../../sql/table.ts'

const branchStatus = choices([
  ['ready', 'Ready', 'green'],
  ['merged', 'Merged', 'blue'],
  ['archived', 'Archived', 'gray'],
])

/** A prepared change of the inventory: main, with some rows replaced by its own. */
export const branch = model({
  name: 'core.branch',
  path: 'core/branches',
  // Of the branching plug-in that clients support (pynetbox.extensions.BranchingExtension).
  aliases: ['plugins/branching/branches'],
  labels: ['branch', 'branches'],
  about: 'Changes that are prepared apart and merged when they are ready.',

  fields: {
    name: text({ max: 100, unique: true }),
    status: choice(branchStatus, { default: 'ready', readOnly: true }),
    description,
    owner: foreignKey('users.user', {
      onDelete: 'setNull',
      nullable: true,
      related: '+',
      defaultFrom: 'user',
      label: 'Owner',
    }),
    /** Identifies the branch in the header of requests. */
    schema_id: text({ max: 8, nullable: true, readOnly: true, unique: true, label: 'Schema ID' }),
    last_sync: dateTime({ nullable: true, readOnly: true, label: 'Last sync' }),
    merged_time: dateTime({ nullable: true, readOnly: true, label: 'Merged' }),
    merged_by: foreignKey('users.user', { onDelete: 'setNull', nullable: true, related: '+', readOnly: true }),
    /** Token of the agent whose plan made the branch. */
    agent_token: foreignKey('users.token', {
      ...{ onDelete: 'setNull', nullable: true, related: '+', hidden: true, unlogged: true, filter: false },
    }),
    /** Request whose undo reverts the merge. */
    merge_request: text({ max: 36, default: '', hidden: true, unlogged: true, filter: false }),
    /** Decisions about conflicts, with the digests of the values that they are for. */
    resolutions: json({ default: {}, hidden: true, unlogged: true, filter: false }),
    /** Time of the last decision. */
    decided: dateTime({ nullable: true, hidden: true, unlogged: true, filter: false }),
    comments,
    tags: tags(),
    ...timestamps,
  },

  graphql: false,
  brief: ['id', 'url', 'display', 'name', 'status', 'schema_id', 'description'],
  order: ['name'],
  search: ['name', 'description', 'comments'],
  features: LOGGED,
  actions: ['sync', 'merge', 'archive'],
  isShared: true,
})

const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789'
const LENGTH = 8

/** A name that could be taken for the `schema_id` of another branch, even of one that has been deleted. */
const LIKE_SCHEMA_ID = /^(?=.*\d)[a-z\d]{8}$/

/** A random `schema_id`, which no branch can have as its name. */
function newSchemaId(): string {
  const text = Array.from({ length: LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('')
  return LIKE_SCHEMA_ID.test(text) ? text : newSchemaId()
}

/** Gives a new branch its name for the header of requests. */
const giveSchemaId: Normalizer<typeof branch.fields> = ({ previous }) =>
  previous ? undefined : { schema_id: newSchemaId() }

/** Refuses names by which requests for another branch would reach this one. */
const nameIsNoSchemaId: Rule<typeof branch.fields> = ({ next, previous }) =>
  next.name !== previous?.name && LIKE_SCHEMA_ID.test(next.name)
    ? { name: 'Choose a name that does not look like a schema_id: eight lower-case letters and digits.' }
    : undefined

/** Deleting a branch deletes its rows, and the jobs that would merge it. */
const discardRows: EffectFunction<typeof branch.fields> = async ({ action, rows, database }) => {
  if (action !== 'delete') return
  const ids = rows.flatMap(({ previous }) => previous?.id ?? [])
  await database.query(volatile`select branch.discard(id) from unnest(${ids}::bigint[]) id`)
  const jobs = await database.query<{ id: number }>(sql`
    select j.id from ${table(SYSTEM.job)} j where j.object_type = ${branch.name} and j.object_id = any(${ids}::bigint[])
      and j.status in ('scheduled', 'pending')`)
  for (const [model, column] of [[SYSTEM.jobTask, sql`job_id`] as const, [SYSTEM.job, sql`id`] as const]) {
    await database.execute(sql`${deleteFrom(model)} where ${column} = any(${jobs.map(({ id }) => id)}::bigint[])`)
  }
}

export const branchModel = registered(branch, {
  behaviour: behaviour(branch, {
    serializerRules: [nameIsNoSchemaId],
    normalize: [giveSchemaId],
    afterWrite: [discardRows],
  }),
  columns: words('name status owner description last_sync merged_time created'),
  panels: { Branch: words('name status owner description schema_id last_sync merged_time merged_by') },
  form: { Branch: words('name description owner tags') },
  bulkEdit: [],
  fieldLabels: { schema_id: 'Id for the API' },
  moreColumns: { plus: words('schema_id merged_by') },
  filters: { Branch: words('status owner_id') },
})
