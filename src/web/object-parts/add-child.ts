import type { ApiRequest } from '../../api/api-request.ts'
import { mayAct } from '../../identity/permitted-rows.ts'
import { parametersOf } from '../../read/query/parameters.ts'
import type { Field, GenericForeignKeyField } from '../../schema/field.ts'
import type { RelatedFilter } from '../../schema/filter.ts'
import { genericKeys, genericPart, namesInBody } from '../../schema/generic-keys.ts'
import { isJsonObject } from '../../schema/json.ts'
import { oncePer } from '../../schema/once-per.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import type { Model, Registry } from '../../schema/registry.ts'
import { isDemanded, isWritable } from '../../schema/writable.ts'
import { linkMenu } from '../components/menu.ts'
import { distinctTitle, shownNoun, shownTitle } from '../components/model-title.ts'
import { offersMethod } from '../components/offered-methods.ts'
import type { FilteredList } from '../data/count-lists.ts'
import { RETURN } from '../forms/return-path.ts'
import type { RequestedObject } from '../frame/object-content.ts'
import { dropEffect } from '../frame/saved-notice.ts'
import { type Content, html } from '../html.ts'
import { componentModelsOf } from '../lists/bulk-actions.ts'
import { sentenceCase, translate } from '../texts/translate.ts'
import { listOfChildren } from './children.ts'

/**
 * URL of the form for another object of a list on the object's page: it has the object filled in, and returns to this
 * page. Undefined if the sender may not add such objects, or the form cannot refer to the object.
 */
export function addAddress(page: RequestedObject, list: FilteredList): string | undefined {
  const presets = permittedPresets(page, list)
  return presets && formAddress(page, list.model, presets)
}

/** Values with which the form starts; undefined where `addAddress` is. */
function permittedPresets(page: RequestedObject, list: FilteredList): ReadonlyMap<string, string> | undefined {
  const { service, actor } = page.request
  const { model } = list
  if (!offersMethod(model, 'POST') || pagePathOf(model) === undefined) return undefined
  return mayAct(actor, 'add', model, service.settings) ? presetsOf(service.registry, list, page) : undefined
}

function formAddress({ request }: RequestedObject, model: Model, presets: ReadonlyMap<string, string>): string {
  const values = new URLSearchParams([...presets, [RETURN, addressHere(request)]])
  return `${request.service.settings.basePath}${pagePathOf(model)}add/?${values}`
}

/** A small link to the form for another object of a list; nothing if there is none. */
export function addLink(page: RequestedObject, list: FilteredList): Content {
  const address = addAddress(page, list)
  const label = addText(list.model)
  return (
    address !== undefined && html`<a class="add-child" href="${address}" aria-label="${label}" title="${label}">+</a>`
  )
}

/** The button that opens the form for another object of a list; nothing if there is none. */
export function addButton(page: RequestedObject, list: FilteredList): Content {
  const address = addAddress(page, list)
  const label = addText(list.model)
  return address !== undefined && html`<a class="button small quiet" href="${address}">+ ${label}</a>`
}

/** A list of objects that belong to the one of the page; `label`: its name on the page. */
interface LabelledList extends FilteredList {
  readonly label: string
}

/** The menu of the forms for all kinds of objects that the object may have: its components first, then other kinds. */
export function addMenu(page: RequestedObject, related: readonly LabelledList[]): Content {
  const { registry } = page.request.service
  const { tabs = [], tables = [], overview = [] } = registry.view(page.model)
  const declared = [...tabs, ...tables, ...overview].map(
    (children): LabelledList => ({
      ...listOfChildren(registry, children, page.object),
      label: sentenceCase(children.label ?? ''),
    }),
  )
  const components = new Set(componentModelsOf(registry, page.model).map(({ model }) => model))
  const byAddress = new Map<string, LabelledList>()
  for (const list of [...declared, ...related]) {
    const presets = permittedPresets(page, list)
    if (!presets?.size) continue
    const address = formAddress(page, list.model, presets)
    if (!byAddress.has(address)) byAddress.set(address, list)
  }
  const byTitle = Map.groupBy(byAddress.values(), ({ model }) => shownTitle(model))
  const links = [...byAddress].map(([href, { model, label }]) => {
    const same = byTitle.get(shownTitle(model)) ?? []
    const isOneModel = same.every((list) => list.model === model)
    const distinct = isOneModel ? label : distinctTitle(registry, model)
    return {
      isComponent: components.has(model),
      href,
      label: (same.length > 1 && distinct) || (isInstalled(model) ? addText(model) : shownTitle(model)),
    }
  })
  const ordered = links.toSorted((a, b) => Number(b.isComponent) - Number(a.isComponent))
  return links.length > 0 && linkMenu(translate('Add'), ordered)
}

/** Text of the link to the form for an object of the model. */
export const addText = (model: Model): string =>
  isInstalled(model)
    ? translate('Install {model}', { model: shownNoun(model) })
    : translate('Add {model}', { model: shownNoun(model) })

/** Whether objects of the model occupy a place for only one object: a module occupies its bay. */
const isInstalled = oncePer(({ fields }: Model): boolean =>
  [...fields.values()].some((field) => field.kind === 'foreignKey' && field.unique === true && isDemanded(field)),
)

/** URL of the requested page, without the report of an earlier form. */
export function addressHere({ url }: ApiRequest): string {
  const query = new URLSearchParams(url.search)
  dropEffect(query)
  return query.size === 0 ? url.pathname : `${url.pathname}?${query}`
}

/** Values with which the form for another object of a list starts; undefined if the form cannot refer to the object. */
function presetsOf(
  registry: Registry,
  { model: child, query }: FilteredList,
  parent: Pick<RequestedObject, 'model' | 'object'>,
): ReadonlyMap<string, string> | undefined {
  const { offered, demanded } = formsOf(registry)(child)
  const parameters = parametersOf(registry, child)
  const presets = new Map<string, string>()
  let isRelated = false
  for (const [name, value] of query) {
    const part = genericPart(child, name)
    if (part && part.part !== 'object' && offered.has(name)) {
      presets.set(name, value)
      isRelated ||= value === String(parent.object.id)
      continue
    }
    const { filter, lookup } = parameters.get(name) ?? {}
    if (value === 'null' || lookup !== 'exact') continue
    if (filter?.kind === 'choice' && offered.has(name)) {
      presets.set(name, value)
      continue
    }
    const isParent = value === String(parent.object.id)
    const values =
      (filter?.kind === 'related' && filter.by === 'id' && relationOf(child, filter, value)) ||
      (isParent && onlyRelationTo(registry, child, parent)) ||
      {}
    const names = Object.keys(values)
    if (names.length > 0 && names.every((name) => offered.has(name))) {
      for (const [field, text] of Object.entries(values)) presets.set(field, text)
      isRelated ||= isParent
    } else if (isParent) return undefined
  }
  addNeighbours(registry, child, presets, { ...parent, shared: isRelated ? demanded : [...demanded, ...OF_SPACE] })
  return presets
}

/** Values that an object shares with the address space around it, to which it does not refer. */
const OF_SPACE = ['vrf', 'tenant', 'role'] as const

/** For each model, the names of the values in the form for a new object, and of the fields that an object must have. */
const formsOf = oncePer((registry: Registry) =>
  oncePer((model: Model) => {
    const names = (registry.view(model).form ?? []).flatMap(({ fields }) => fields)
    return {
      offered: new Set(names.flatMap((name) => namesInBody(model, name))),
      demanded: [...model.fields].flatMap(([name, field]) => (isDemanded(field) ? [name] : [])),
    }
  }),
)

/** The values by which an object refers to another, as the filter finds it; undefined if other relations lie between them. */
function relationOf(
  { fields }: Model,
  { path, to }: RelatedFilter,
  id: string,
): Readonly<Record<string, string>> | undefined {
  const [relation = '', type] = path.split(':')
  const field = fields.get(relation)
  if (field?.kind === 'genericForeignKey') return type === to ? genericValues(relation, field, to, id) : undefined
  const isOwn = field?.kind === 'foreignKey' || field?.kind === 'manyToMany'
  return isOwn && isWritable(field) && field.write !== 'slug' ? { [relation]: id } : undefined
}

/** The values by which an object refers to one of the model, if one of its relations can: the site as a scope. */
function onlyRelationTo(
  registry: Registry,
  child: Model,
  { model, object }: Pick<RequestedObject, 'model' | 'object'>,
): Readonly<Record<string, string>> | undefined {
  const id = String(object.id)
  const [name = '', field] = relationBetween(child)(model, registry) ?? []
  if (field?.kind === 'genericForeignKey') return genericValues(name, field, model.name, id)
  return field && { [name]: 'write' in field && field.write === 'slug' ? String(object.slug) : id }
}

/** The writable relation of objects of a model to those of another; undefined if there are several. */
const relationBetween = oncePer((child: Model) =>
  oncePer((model: Model, registry: Registry): readonly [string, Field] | undefined => {
    const relations = [...child.fields].filter(([, field]) => {
      if (!isWritable(field)) return false
      if (field.kind === 'genericForeignKey') return registry.targets(field).includes(model)
      return (field.kind === 'foreignKey' || field.kind === 'manyToMany') && field.to === model.name
    })
    return relations.length === 1 ? relations[0] : undefined
  }),
)

function genericValues(
  name: string,
  field: GenericForeignKeyField,
  type: string,
  id: string,
): Readonly<Record<string, string>> {
  const keys = genericKeys(name, field)
  return { [keys.type]: type, [keys.id]: id }
}

/**
 * Adds the object's values for fields other than the reference itself: fields that narrow its choices, such as the site
 * of a rack, and fields that every child needs, such as the device of an inventory item.
 */
function addNeighbours(
  registry: Registry,
  child: Model,
  presets: Map<string, string>,
  { model, object, shared }: Pick<RequestedObject, 'model' | 'object'> & { readonly shared: readonly string[] },
): void {
  const { narrowedBy = {} } = registry.view(child)
  const add = (name: string): void => {
    const [ownField, parentField] = [child.fields.get(name), model.fields.get(name)]
    if (presets.has(name) || ownField?.kind !== 'foreignKey' || !isWritable(ownField)) return
    const value = object[name]
    if (parentField?.kind === 'foreignKey' && parentField.to === ownField.to && isJsonObject(value))
      presets.set(name, String(value.id))
  }
  for (const name of shared) add(name)
  // A map also visits entries that are added during the loop: the location of a rack is narrowed by its site.
  for (const name of presets.keys()) for (const by of Object.values(narrowedBy[name] ?? {})) add(by)
}
