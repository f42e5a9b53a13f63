import { expect, it } from 'vitest'
import { readSettings } from '../../src/config/settings.ts'
import { loadApplication, modelRegistry } from '../../src/core.ts'
import { pluralTitleOf, titleOf } from '../../src/schema/class-name.ts'
import { pagePathOf } from '../../src/schema/page-path.ts'
import type { Model } from '../../src/schema/registry.ts'
import { columnLabel, fieldLabel } from '../../src/web/components/field-label.ts'
import { defaultColumns, listedFields } from '../../src/web/lists/columns.ts'
import { german } from '../../src/web/texts/german.ts'

const application = await loadApplication(readSettings({}))
const registry = modelRegistry(application)
const models = [...registry.models.values()].filter((model) => pagePathOf(model) !== undefined)

/** Terms that German network engineers use as they are. */
const SAME = new Set(
  'id|url|vid|mtu|ssid|wwn|rd|lag|vcpus|vdcs|slug|phase|version|debug|nat|poe|q-in-q|q-in-q/802.1ad|ssl|vpn|ipam|asn|asns|vrf|vrfs|l2vpn|vlan|vlans'.split(
    '|',
  ),
)

const untranslated = (labels: Iterable<string>): readonly string[] =>
  [...new Set(labels)].filter((label) => {
    const name = label.toLowerCase()
    return name !== '' && !SAME.has(name) && !Object.hasOwn(german.labels, name)
  })

function* headingsOf(model: Model): Iterable<string> {
  const { form = [], panels, filters = [], bulkEdit = [], ...view } = registry.view(model)
  for (const { label } of [...form, ...panels.flat(), ...filters, ...bulkEdit]) yield label
  for (const { label = '' } of [...(view.tabs ?? []), ...(view.tables ?? [])]) yield label
}

function* fieldLabelsOf(model: Model): Iterable<string> {
  const { panels, moreColumns = [] } = registry.view(model)
  const paths = [
    ...listedFields(model),
    ...defaultColumns(registry, model),
    ...moreColumns,
    ...panels.flat().flatMap(({ fields }) => fields),
  ]
  for (const path of paths) {
    yield columnLabel(registry, model, path)
    yield fieldLabel(registry, model, path)
  }
  yield* Object.values(registry.view(model).formLabels ?? {})
}

it.each([
  ['models', models.flatMap((model) => [titleOf(model), pluralTitleOf(model)])],
  [
    'the menu',
    application.menu.flatMap(({ label, groups }) => [
      label,
      ...groups.flatMap((group) => [group.label, ...(group.pages ?? []).map((page) => page.label)]),
    ]),
  ],
  ['headings', models.flatMap((model) => [...headingsOf(model)])],
  ['fields', models.flatMap((model) => [...fieldLabelsOf(model)])],
])('the labels of %s have German words', (_name, labels) => {
  expect(untranslated(labels)).toEqual([])
})
