import { fieldsMetadata } from '../src/api/options/field-metadata.ts'
import { loadApplication, modelRegistry } from '../src/app/core.ts'
import { readSettings } from '../src/config/settings.ts'
import { FUNCTION_HELP } from '../src/read/expression/functions.ts'
import { pluralTitleOf, titleOf } from '../src/schema/class-name.ts'
import { pagePathOf } from '../src/schema/page-path.ts'
import type { Model, Registry } from '../src/schema/registry.ts'
import { columnLabel, fieldLabel } from '../src/web/components/field-label.ts'
import { defaultColumns, listedFields } from '../src/web/lists/columns.ts'

/** The labels that pages show of models, fields, headings and the menu, and the sentences about models, in lower case. */
export async function registryLabels(): Promise<ReadonlySet<string>> {
  const application = await loadApplication(readSettings({}))
  const registry = modelRegistry(application)
  const models = [...registry.models.values()].filter((model) => pagePathOf(model) !== undefined)
  const menu = application.menu.flatMap(({ label, groups }) => [
    label,
    ...groups.flatMap((group) => [group.label, ...(group.pages ?? []).map((page) => page.label)]),
  ])
  const labels = models.flatMap((model) => [
    titleOf(model),
    pluralTitleOf(model),
    model.definition.about ?? '',
    ...headingsOf(registry, model),
    ...fieldLabelsOf(registry, model),
  ])
  const functions = Object.values(FUNCTION_HELP).map(([, sentence]) => sentence)
  return new Set([...menu, ...labels, ...functions].map((label) => label.toLowerCase()).filter((label) => label !== ''))
}

function* headingsOf(registry: Registry, model: Model): Iterable<string> {
  const { form = [], panels, filters = [], bulkEdit = [], tabs = [], tables = [] } = registry.view(model)
  for (const { label } of [...form, ...panels.flat(), ...filters, ...bulkEdit]) yield label
  for (const { label = '' } of [...tabs, ...tables]) yield label
}

function* fieldLabelsOf(registry: Registry, model: Model): Iterable<string> {
  const { panels, moreColumns = [], formLabels = {}, formHelp = {} } = registry.view(model)
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
  yield* Object.values(formLabels)
  for (const { help_text: help } of Object.values(fieldsMetadata(registry, model))) if (help) yield String(help)
  yield* Object.values(formHelp)
}
