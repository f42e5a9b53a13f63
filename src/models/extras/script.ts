import { boolean, computed, foreignKey, json, text } from '../../schema/field.ts'
import type { JsonObject } from '../../schema/json.ts'
import { model } from '../../schema/model.ts'
import { behaviour, type EmbeddedRow } from '../../schema/rule.ts'
import { registered, words } from '../../schema/view.ts'
import { sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'

/** Summary of a job; the detail of a script that never ran has one whose values are all null. */
const RESULT = {
  type: 'object',
  nullable: true,
  properties: {
    url: { type: 'string', format: 'uri', nullable: true },
    status: {
      type: 'object',
      nullable: true,
      properties: { value: { type: 'string' }, label: { type: 'string' } },
    },
    created: { type: 'string', format: 'date-time', nullable: true },
    completed: { type: 'string', format: 'date-time', nullable: true },
    user: { type: 'object', allOf: [{ $ref: '#/components/schemas/BriefUser' }], nullable: true },
  },
}

/** The latest job of each script. */
const latestResult = computed(RESULT, async (ids, { database, nested }) => {
  const latest = await database.query<{ script: number; job: number }>(sql`
    select distinct on (j.object_id) j.object_id as script, j.id as job
    from ${table('core.job')} j
    where j.object_type = 'extras.script' and j.object_id = any(${ids})
    order by j.object_id, j.created desc
  `)
  const projection = ['url', 'status', 'created', 'completed', 'user']
  const jobs = await nested(
    'core.job',
    latest.map(({ job }) => job),
    projection,
  )
  return new Map(
    latest.flatMap(({ script, job }) => {
      const text = jobs.get(job)
      return text === undefined ? [] : [[script, text] as const]
    }),
  )
})

/** A program that users may run. */
export const script = model({
  name: 'extras.script',
  path: 'extras/scripts',
  labels: ['script', 'scripts'],

  fields: {
    module: foreignKey('extras.scriptmodule', {
      onDelete: 'cascade',
      related: 'scripts',
      readOnly: true,
      bare: true,
    }),
    name: text({ max: 79, readOnly: true }),
    description: text({ default: '', readOnly: true, filter: false }),
    vars: json({ default: {}, readOnly: true, verbatim: true }),
    result: latestResult,
    is_executable: boolean({ default: true, readOnly: true }),
    /** Of a Python script: how event rules start it, with its `title`, `timeout` and `notifications`. */
    options: json({ default: {}, hidden: true, readOnly: true }),
  },

  display: '{name} ({module.display})',
  graphql: false,
  brief: ['id', 'url', 'name', 'description', 'display'],
  answer: words('id url display_url module name description vars result display is_executable'),
  order: ['module', 'name'],
  search: ['name'],
  unique: [{ fields: ['name', 'module'] }],
  features: ['eventRules', 'jobs'],
  methods: ['GET'],
  actions: ['run'],
})

const MODULE = /\(([^()]+)\)$/

/** The file of a script; its name occurs only in the display of the script. */
function unfoldModule({ module, display }: JsonObject): readonly EmbeddedRow[] {
  const name = typeof display === 'string' ? MODULE.exec(display)?.[1] : undefined
  if (typeof module !== 'number' || name === undefined) return []
  const row = {
    id: module,
    file_path: `${name}.py`,
    file_root: 'scripts',
    created: new Date().toISOString(),
  }
  return [{ model: 'extras.scriptmodule', row }]
}

export const scriptModel = registered(script, {
  behaviour: behaviour(script, { unfold: unfoldModule }),
  columns: words('name description module'),
  moreColumns: { plus: words('module vars result is_executable') },
  panels: words('module name description result is_executable'),
})
