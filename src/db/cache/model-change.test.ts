import { describe, expect, it } from 'vitest'
import { sql } from '../../sql/fragment.ts'
import { deleteFrom, updateTable } from '../../sql/table.ts'
import { ChangeSet, decodeChange, encodeChanges, MOST_ROWS, type ModelChange, wholeModel } from './model-change.ts'

const update = (...rows: readonly number[]): ModelChange => ({
  model: 'dcim.site',
  rows: new Set(rows),
  columns: new Set(['name', 'status']),
})
const insertion: ModelChange = { model: 'dcim.site', rows: new Set(), columns: undefined }
const many = update(...Array.from({ length: MOST_ROWS + 1 }, (_, index) => index))

describe('the changes of a transaction', () => {
  it.each([
    { name: 'two updates', changes: [update(1), update(2)], all: [update(1, 2)] },
    {
      name: 'an update and an insertion',
      changes: [update(1), insertion],
      all: [{ ...update(1), columns: undefined }],
    },
    {
      name: 'one of unknown extent',
      changes: [update(1), wholeModel('dcim.site')],
      all: [wholeModel('dcim.site')],
    },
    { name: 'very many rows', changes: [many], all: [{ ...many, rows: undefined }] },
    {
      name: 'other columns',
      changes: [update(1), { ...update(1), columns: new Set(['slug']) }],
      all: [{ ...update(1), columns: new Set(['name', 'status', 'slug']) }],
    },
    {
      name: 'two models',
      changes: [update(1), wholeModel('dcim.rack')],
      all: [update(1), wholeModel('dcim.rack')],
    },
    {
      name: 'the same rows on main and in branches',
      changes: [update(1), { ...update(1), branch: 5 }, { ...update(2), branch: 5 }, { ...update(1), branch: 6 }],
      all: [update(1), { ...update(1, 2), branch: 5 }, { ...update(1), branch: 6 }],
    },
  ])('are joined for each model: $name', ({ changes, all }) => {
    const set = new ChangeSet()
    for (const change of changes) set.add(change)
    expect(set.all).toEqual(all)
  })

  it('are counted by statements', () => {
    const set = new ChangeSet()
    const [sites, racks] = [
      { name: 'dcim.site', table: 'dcim_site' },
      { name: 'dcim.rack', table: 'dcim_rack' },
    ]
    set.addStatement(deleteFrom(sites).statement)
    set.addStatement(sql`with s as (${deleteFrom(sites)}) ${updateTable(racks, { rows: [1], columns: [] })}`.statement)
    expect([...set.statements]).toEqual([
      ['dcim.site', 2],
      ['dcim.rack', 1],
    ])
  })
})

describe('notifications for other processes', () => {
  const ofBranch = [wholeModel('dcim.site'), update(1)].map((change) => ({ ...change, branch: 5 }))
  it.each([wholeModel('dcim.site'), update(1, 2), update(), insertion, ...ofBranch])(
    'contain the change: %j',
    (change) => {
      const [word = ''] = encodeChanges([change])
      expect(word).not.toContain(' ')
      expect(decodeChange(word)).toEqual(change)
    },
  )

  it('name only the models if rows and columns would take too much space', () => {
    const changes = Array.from({ length: 200 }, (_, index) => ({
      ...update(1),
      model: `app.model${index}`,
      columns: new Set(['a_column_with_a_long_name']),
    }))
    const words = encodeChanges(changes)
    expect(words).toEqual(changes.map(({ model }) => model))
  })
})
