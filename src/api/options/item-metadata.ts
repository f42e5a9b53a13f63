import { nameAsWords } from '../../schema/fields/kind.ts'
import { isJsonObject, type Json } from '../../schema/json.ts'

/** Description of the items of a list of objects, derived from the list's schema; undefined for other schemas. */
export function itemMetadata(schema: Json): Readonly<Record<string, unknown>> | undefined {
  const items = isJsonObject(schema) ? schema.items : undefined
  if (!isJsonObject(items) || !isJsonObject(items.properties)) return undefined
  const required = Array.isArray(items.required) ? items.required : []
  return {
    type: 'nested object',
    required: false,
    read_only: false,
    children: Object.fromEntries(
      Object.entries(items.properties).flatMap(([name, property]) =>
        isJsonObject(property)
          ? [
              [
                name,
                {
                  // Ids of other objects are relations, for which no type is reported.
                  type:
                    property.type === 'integer' && property.format !== 'id' ? 'integer' : 'field',
                  required: required.includes(name),
                  read_only: property.readOnly === true,
                  label: nameAsWords(name),
                  ...(property.minimum !== undefined && { min_value: property.minimum }),
                  ...(property.maximum !== undefined && { max_value: property.maximum }),
                },
              ] as const,
            ]
          : [],
      ),
    ),
  }
}
