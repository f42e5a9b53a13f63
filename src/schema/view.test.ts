import { describe, expect, it } from 'vitest'
import { site } from '../models/dcim/site.ts'
import { registered, tab, titled, words } from './view.ts'

describe('a view', () => {
  it('has groups with headings, and the usual weights of its model’s fields', () => {
    const { view } = registered(site, {
      columns: words('name status'),
      panels: words('name tenant.group'),
      form: { Site: words('name slug'), Contact: words('physical_address') },
      bulkEdit: ['status'],
      search: { weights: { facility: 100, comments: null }, shown: ['region'] },
    })
    expect(view).toEqual({
      model: 'dcim.site',
      columns: ['name', 'status'],
      panels: [[{ label: 'Site', fields: ['name', 'tenant.group'] }]],
      form: [
        { label: 'Site', fields: ['name', 'slug'] },
        { label: 'Contact', fields: ['physical_address'] },
      ],
      bulkEdit: [{ label: '', fields: ['status'] }],
      search: {
        weights: { name: 100, facility: 100, slug: 110, description: 500 },
        shown: ['region'],
      },
    })
  })

  it('does not compile with a name that its model does not have', () => {
    const columns = words('name')
    const panels = columns
    // @ts-expect-error a misspelt column
    registered(site, { columns: words('name sttaus'), panels })
    // @ts-expect-error a misspelt column of several lines
    registered(site, { columns, moreColumns: words(`\n    id slug\n    regoin asns\n  `), panels })
    // @ts-expect-error a path over a relation that does not exist
    registered(site, { columns, panels: words('name tenannt.group') })
    // @ts-expect-error a misspelt field of a group
    registered(site, { columns, panels, form: { Site: words('name slgu') } })
    // @ts-expect-error a form shows no paths
    registered(site, { columns, panels, form: ['tenant.group'] })
    // @ts-expect-error a misspelt field of the bulk edit form
    registered(site, { columns, panels, bulkEdit: ['stats'] })
    // @ts-expect-error a misspelt column of the import
    registered(site, { columns, panels, imports: words('name regionn.name') })
    // @ts-expect-error a heading for a field that does not exist
    registered(site, { columns, panels, labels: { facilty: 'Facility' } })
    // @ts-expect-error a misspelt field of the search
    registered(site, { columns, panels, search: { shown: ['descrption'] } })
    // Columns of an import may have their own names.
    registered(site, { columns, panels, importColumns: { campus: {} }, imports: ['campus.name'] })
  })
})

it('headings are names in capitals', () => {
  expect(titled('power_port device.site')).toEqual({
    power_port: 'Power Port',
    'device.site': 'Device Site',
  })
  expect(tab('device-bays', 'dcim.devicebay', { device_id: 'id' }).label).toBe('Device Bays')
})
