import type { Field } from '../../schema/field.ts'
import { asJson, asPlain, asTexts, isJsonObject, type JsonObject } from '../../schema/json.ts'
import type { Model } from '../../schema/registry.ts'

/**
 * A body, or a list of bodies, in which the fields of the model have converted numbers and booleans that keep their
 * text: text fields get the text itself, documents the exact number. Values of custom fields are left unchanged,
 * because their definitions are read later. `models`: the models by which dictionaries next to an object type are read.
 */
export function typedBody(model: Model, body: unknown, models: ReadonlyMap<string, Model> = new Map()): unknown {
  if (Array.isArray(body)) return body.map((item) => typedBody(model, item, models))
  if (!isJsonObject(body)) return asPlain(body)
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => {
      const to = modelBeside(body, name, models)
      return [name, to ? typedBody(to, value, models) : typedValue(model, name, value, models)]
    }),
  )
}

/** `name` may also be a path or have a lookup: `site__name`, `name__iexact`. */
function typedValue(model: Model, name: string, value: unknown, models: ReadonlyMap<string, Model>): unknown {
  const [first = '', ...remaining] = name.split('__')
  if (name === 'changelog_message') return asTexts(value)
  const step = model.steps.get(first)
  const field = model.fields.get(first)
  if (step && step.kind !== 'column') {
    if (remaining.length > 0) return typedValue(step.to, remaining.join('__'), value, models)
    const isSlug = field && 'write' in field && field.write === 'slug'
    return isSlug ? asTexts(value) : typedBody(step.to, value, models)
  }
  return field ? byField(field, value, models) : byType(value, models)
}

/** A value of a field that is not a relation. */
function byField(field: Field, value: unknown, models: ReadonlyMap<string, Model>): unknown {
  switch (field.kind) {
    case 'customFields':
      return value
    case 'json':
      return asJson(value)
    case 'list':
      if (field.of === 'json') return asJson(value)
      return field.of === 'integer' || field.of === 'range' ? asPlain(value) : asTexts(value)
    case 'text':
    case 'decimal':
    case 'hardwareAddress':
    case 'uuid':
      return asTexts(value)
    default:
      return byType(value, models)
  }
}

/** Objects named by `…_type` and `…_id`, such as ends of cables, are read by the model of their type. */
function byType(value: unknown, models: ReadonlyMap<string, Model>): unknown {
  if (Array.isArray(value)) return value.map((item) => byType(item, models))
  if (!isJsonObject(value)) return asPlain(value)
  return Object.fromEntries(
    Object.entries(value).map(([name, attribute]) => {
      const to = modelBeside(value, name, models)
      return [name, to ? typedBody(to, attribute, models) : byType(attribute, models)]
    }),
  )
}

/** The model whose object `…_id` names, by `…_type` in the same dictionary. */
const modelBeside = (values: JsonObject, name: string, models: ReadonlyMap<string, Model>): Model | undefined =>
  name.endsWith('_id') ? models.get(String(values[name.replace(/_id$/, '_type')])) : undefined
