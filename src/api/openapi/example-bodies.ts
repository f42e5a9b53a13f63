import { exampleBody } from '../../schema/example-values.ts'
import type { Json, JsonObject } from '../../schema/json.ts'
import type { Model, Registry } from '../../schema/registry.ts'
import { isWritable } from '../../schema/writable.ts'

/** Examples of a model's bodies. Related objects have the id 1. */
interface BodyExamples {
  readonly whole: JsonObject
  /** Changes one field. */
  readonly change: JsonObject
}

/** Values that people usually set in addition to the required fields. */
const USEFUL: readonly string[] = ['status', 'description']

/** Undefined for a model whose body cannot be written as JSON, or has a required field without an example. */
export function bodyExamples(registry: Registry, model: Model): BodyExamples | undefined {
  const { body, missing } = exampleBody(registry, model, 1, (_model, n) => n, { whole: false })
  if (!body || missing.length > 0 || !isJson(body)) return undefined
  const whole = { ...body, ...Object.fromEntries(USEFUL.flatMap((name) => usefulEntry(model, name))) }
  const [first] = Object.entries(whole).toReversed()
  return { whole, change: Object.fromEntries(first ? [first] : []) }
}

const isJson = (body: Readonly<Record<string, Json | Blob>>): body is JsonObject =>
  Object.values(body).every((value) => !(value instanceof Blob))

function usefulEntry(model: Model, name: string): readonly (readonly [string, Json])[] {
  const field = model.fields.get(name)
  if (!field || !isWritable(field)) return []
  if (field.kind === 'text') return [[name, `An example of ${model.definition.labels[1]}`]]
  return field.kind === 'choice' && typeof field.default === 'string' ? [[name, field.default]] : []
}
