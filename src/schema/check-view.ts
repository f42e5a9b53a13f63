import type { Model, Registry } from './registry.ts'
import type { FieldGroup, ModelView } from './view.ts'
import { isWritable } from './writable.ts'

/**
 * Throws an Error that names the view if the view contains a name that the registry does not have, or if a field that
 * bodies may contain is nowhere on its pages.
 */
export function checkView(registry: Registry, view: ModelView): void {
  const model = registry.model(view.model)
  const {
    columns,
    moreColumns = [],
    panels,
    form = [],
    bulkEdit = [],
    networkLengths = {},
    context = [],
    folded = [],
    cloned = [],
    imports = [],
    search,
  } = view
  const shownPaths = [...columns, ...context, ...fieldsOf(panels.flat()), ...(search?.shown ?? [])]
  const paths = [
    ...[...shownPaths, ...moreColumns].filter((path) => !isShown(registry, model, path)),
    ...(view.tabs ?? []).flatMap((tab) => {
      const listed = registry.models.get(tab.model)
      return (tab.columns ?? []).filter((path) => listed && !isShown(registry, listed, path))
    }),
  ]
  const written = [
    ...fieldsOf(form),
    ...fieldsOf(bulkEdit).filter((name) => !Object.hasOwn(networkLengths, name)),
    ...Object.values(networkLengths),
    ...folded,
    ...cloned,
    ...(view.bulkAdd ? [view.bulkAdd.field, ...(view.bulkAdd.namedIn ?? [])] : []),
  ].filter((name) => !model.fields.has(name))
  const searched = [
    ...Object.keys(search?.weights ?? {}).filter((name) => name !== 'display'),
    ...(search?.range ?? []),
    ...(search?.leadsTo === undefined ? [] : [search.leadsTo]),
  ].filter((name) => !model.fields.has(name))
  const children = [...(view.tables ?? []), ...(view.tabs ?? [])]
  const models = children.map((child) => child.model).filter((name) => !registry.models.has(name))
  const unknown = [...paths, ...written, ...searched, ...models]
  if (unknown.length > 0) {
    throw new Error(`The view of ${view.model} names what is not there: ${unknown.join(', ')}`)
  }
  const onPages = new Set([...shownPaths, ...fieldsOf([...form, ...bulkEdit]), ...Object.keys(view.setElsewhere ?? {})])
  const hidden = [...model.fields].filter(
    ([name, field]) => isWritable(field) && field.kind !== 'customFields' && !onPages.has(name),
  )
  if (form.length > 0 && hidden.length > 0) {
    const names = hidden.map(([name]) => name).join(', ')
    throw new Error(`No form or panel of ${view.model} shows ${names}; add them to its view, or to "setElsewhere"`)
  }
  if (new Set(imports).size < imports.length) {
    throw new Error(`The view of ${view.model} names a column of its import twice`)
  }
}

const fieldsOf = (groups: readonly FieldGroup[]): readonly string[] => groups.flatMap(({ fields }) => fields)

/** Whether a path leads, over relations, to a field of the response. */
function isShown(registry: Registry, model: Model, path: string): boolean {
  const [name = '', ...remaining] = path.split('.')
  if (!model.answer.includes(name)) return false
  if (remaining.length === 0) return true
  const field = model.fields.get(name)
  return field !== undefined && 'to' in field && isShown(registry, registry.model(field.to), remaining.join('.'))
}
