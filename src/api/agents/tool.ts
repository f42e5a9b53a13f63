import { isJsonObject, type Json, type JsonObject, ownValue, stringsIn } from '../../schema/json.ts'
import { checkSchema } from '../../schema/json-schema.ts'
import { type Call, shortened, ToolError } from './call.ts'

export type Arguments = Readonly<Record<string, Json>>

interface Declaration {
  readonly name: string
  readonly title: string
  readonly description: string
  /** JSON schemas of the arguments. */
  readonly properties: JsonObject
  readonly required?: readonly string[]
  /** It opens a change request. */
  readonly isWriting?: true
  /** The result, before it is shortened. Throws `ToolError`. */
  readonly run: (call: Call, args: Arguments) => Promise<JsonObject>
}

/** A tool of agents. Its texts are fixed: no text of the inventory becomes part of a description. */
export interface Tool extends Pick<Declaration, 'name' | 'title' | 'description' | 'isWriting'> {
  readonly inputSchema: JsonObject
  readonly run: Declaration['run']
}

export const TYPE: JsonObject = { type: 'string', description: 'Object type, such as dcim.device' }

/** Bytes of a result, unless the call asks for more. */
const DEFAULT_BYTES = 20_000
const MOST_BYTES = 1_000_000

const MAX_BYTES: JsonObject = {
  ...{ type: 'integer', minimum: 1_000, maximum: MOST_BYTES },
  description: `Most bytes of the result; ${DEFAULT_BYTES} by default`,
}

export function tool({ properties, required = [], run, ...texts }: Declaration): Tool {
  const inputSchema: JsonObject = {
    ...{ type: 'object', properties: { ...properties, max_bytes: MAX_BYTES }, required },
    additionalProperties: false,
  }
  return {
    ...{ ...texts, inputSchema },
    run: async (call, written) => {
      const args = withoutNulls(inputSchema, written)
      const problem = checkSchema(inputSchema, args)
      if (problem !== undefined) {
        throw new ToolError(problem, { arguments: Object.keys(properties), required })
      }
      const { max_bytes: most = DEFAULT_BYTES, ...toolArguments } = argumentsOf(args)
      return withNextOffset(shortened(await run(call, toolArguments), Number(most)))
    },
  }
}

/**
 * The arguments without optional ones that are null: clients whose schemas require every argument, and several models,
 * send null for what they leave out. Undeclared names, such as the fields of a body, keep their nulls.
 */
function withoutNulls(schema: Json | undefined, value: Json): Json {
  if (!isJsonObject(schema)) return value
  const { properties, required, items } = schema
  if (Array.isArray(value)) return value.map((item: Json) => withoutNulls(items, item))
  if (!isJsonObject(value) || !isJsonObject(properties)) return value
  const needed = new Set(stringsIn(required))
  const isAbsent = (name: string, part: Json): boolean =>
    part === null && Object.hasOwn(properties, name) && !needed.has(name)
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, part]) =>
      isAbsent(name, part) ? [] : [[name, withoutNulls(ownValue(properties, name), part)] as const],
    ),
  )
}

/** A slice of a list with the offset of the next one, if there is one. */
function withNextOffset(document: JsonObject): JsonObject {
  const { count, offset, results } = document
  if (typeof count !== 'number' || typeof offset !== 'number' || !Array.isArray(results)) return document
  const next = offset + results.length
  return next < count ? { ...document, next_offset: next } : document
}

/** The arguments of a call; empty if there are none. */
export const argumentsOf = (value: unknown): Arguments => (isJsonObject(value) ? value : {})
