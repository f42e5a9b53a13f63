import type { ApiRequest } from '../../api/api-request.ts'
import { isJsonObject, type Json, type JsonObject } from '../../schema/json.ts'
import { modelOfUrl } from '../../schema/page-path.ts'
import { PART_OF } from '../../schema/part-of.ts'
import type { Model, Registry } from '../../schema/registry.ts'
import { visibleObjects } from './page-objects.ts'

/** Texts that distinguish objects with the same display, by the URL of the object. */
export type Contexts = ReadonlyMap<string, string>

/** Texts and colours shown next to the names of objects. */
export interface Surroundings {
  readonly contexts: Contexts
  /** Colours of roles and similar objects, as six hexadecimal digits, by the URL of the object. */
  readonly colors: ReadonlyMap<string, string>
}

/**
 * The contexts of all objects that the values refer to, such as the device of an interface, and their colours: one read per
 * model. Objects that the sender may not view have none.
 */
export async function surroundingsOf(request: ApiRequest, values: Json): Promise<Surroundings> {
  const { registry } = request.service
  const byModel = new Map<Model, Map<number, string>>()
  visitReferences(values, (url, id) => {
    const model = modelOfUrl(registry, url)
    if (!model || (registry.view(model).context === undefined && !model.fields.has('color'))) return
    const urls = byModel.get(model) ?? new Map<number, string>()
    byModel.set(model, urls.set(id, url))
  })
  const contexts = new Map<string, string>()
  const colors = new Map<string, string>()
  await Promise.all(
    [...byModel].map(async ([model, urls]) => {
      const { context = [] } = registry.view(model)
      for (const [id, object] of await visibleObjects(request, model, [...urls.keys()], [...context, 'color'])) {
        const url = urls.get(id) ?? ''
        const text = contextText(context, object)
        if (text !== '') contexts.set(url, text)
        if (typeof object.color === 'string') colors.set(url, object.color)
      }
    }),
  )
  return { contexts, colors }
}

/** The values at these fields as one text: `DM-Akron · R1`. */
export const contextText = (context: readonly string[] = [], object: JsonObject | undefined): string =>
  context
    .map((name) => nameText(object?.[name]))
    .filter((text) => text !== '')
    .join(SEPARATOR)

/** The contexts of objects of a model that have the fields of their context. */
export const ownContexts = (
  { service: { registry } }: ApiRequest,
  model: Model,
  objects: readonly JsonObject[],
): Contexts => {
  const { context } = registry.view(model)
  const texts = objects.map((object) => [String(object.url), contextText(context, object)] as const)
  return new Map(texts.filter(([, text]) => text !== ''))
}

/**
 * The contexts of objects of several types, such as the device of an interface. None for names that are unique, and for
 * objects that the sender may not view.
 */
export async function contextsOfObjects(
  request: ApiRequest,
  objects: readonly NamedObject[],
): Promise<(object: NamedObject) => string | undefined> {
  const { registry } = request.service
  const byType = await Promise.all(
    [...Map.groupBy(objects, ({ type }) => type)].map(async ([type, list]) => {
      const model = registry.models.get(type)
      const { context = [] } = model ? registry.view(model) : {}
      if (!model || context.length === 0 || !hasAmbiguousNames(registry, model)) return undefined
      const ids = list.map(({ id }) => id)
      return [type, { context, rows: await visibleObjects(request, model, ids, context) }] as const
    }),
  )
  const contexts = new Map(byType.filter((entry) => entry !== undefined))
  return ({ type, id }) => {
    const found = contexts.get(type)
    return (found && contextText(found.context, found.rows.get(id))) || undefined
  }
}

/** Names an object by its type and id. */
interface NamedObject {
  readonly type: string
  readonly id: number
}

/** Relations to groups, which say little about an object whose name is unique. */
const GROUPS: ReadonlySet<string | undefined> = new Set(['group', 'parent'])

/** Whether the objects of a list need a context: in a model with slugs and groups, names are nearly always unique. */
const needsContext = (registry: Registry, url: string): boolean => {
  const model = modelOfUrl(registry, url)
  return !model || hasAmbiguousNames(registry, model)
}

const hasAmbiguousNames = (registry: Registry, model: Model): boolean =>
  !model.fields.has('slug') || !GROUPS.has(registry.view(model).context?.[0])

/** The contexts without those of unique names, and without the parts that the same row or page shows elsewhere. */
export function contextsBeside(registry: Registry, contexts: Contexts, row: readonly (Json | undefined)[]): Contexts {
  if (contexts.size === 0) return contexts
  const displays = new Set(row.map((value) => (isJsonObject(value) ? value.display : value)))
  const shortened = new Map<string, string>()
  for (const value of row) {
    visitReferences(value, (url) => {
      const parts = (needsContext(registry, url) && contexts.get(url)?.split(SEPARATOR)) || []
      const remaining = parts.filter((part) => !displays.has(part))
      if (remaining.length > 0) shortened.set(url, remaining.join(SEPARATOR))
    })
  }
  return shortened
}

const SEPARATOR = ' · '

/** A related object as a single text, a component together with its parent. */
function nameText(value: Json | undefined): string {
  if (Array.isArray(value)) return value.map(nameText).filter(Boolean).slice(0, 4).join(', ')
  if (!isJsonObject(value)) return value === null || value === undefined ? '' : String(value)
  // The ends of a cable name the connected object next to its type.
  if (isJsonObject(value.object)) return nameText(value.object)
  const parent = PART_OF.map((name) => value[name]).find((candidate) => isJsonObject(candidate))
  const ownName = String(value.display ?? value.label ?? '')
  return parent === undefined ? ownName : nameText(parent) + SEPARATOR + ownName
}

/** Calls `visit` for each reference in the value, but not for references within these, which no page shows. */
function visitReferences(value: Json | undefined, visit: (url: string, id: number) => void): void {
  if (Array.isArray(value)) {
    for (const inner of value) visitReferences(inner, visit)
  } else if (isJsonObject(value)) {
    const { url, id } = value
    if (typeof url === 'string' && typeof id === 'number') visit(url, id)
    else for (const inner of Object.values(value)) visitReferences(inner, visit)
  }
}
