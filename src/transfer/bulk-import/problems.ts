import type { Messages } from '../../errors.ts'
import { genericKeys } from '../../schema/generic-keys.ts'
import type { SourceColumn } from './columns.ts'
import type { Layout } from './name-objects.ts'
import type { Problem } from './records.ts'

/** Errors of a body as problems of the row and its columns. */
export function problemsOf(layout: Layout, row: number, messages: Messages): readonly Problem[] {
  if (typeof messages === 'string') return [{ row, message: messages }]
  if (Array.isArray(messages)) return messages.flatMap((each) => problemsOf(layout, row, each))
  return Object.entries(messages).flatMap(([name, said]) =>
    problemsOfField(layout, row, name, said),
  )
}

function problemsOfField(
  layout: Layout,
  row: number,
  name: string,
  said: Messages,
): readonly Problem[] {
  if (name === 'custom_fields' && typeof said === 'object' && !Array.isArray(said)) {
    return Object.entries(said).flatMap(([key, each]) =>
      problemsOfField(layout, row, `cf_${key}`, each),
    )
  }
  const column = layout.columns.find((each) => fieldsOf(layout, each).includes(name))
  const isField = name !== 'non_field_errors' && name !== '__all__'
  return textsOf(said).map((text) => ({
    row,
    column: column?.header,
    message: column || !isField ? text : `${name}: ${text}`,
  }))
}

/** Fields of a body to which a column contributes. */
function fieldsOf({ model }: Layout, { name, source }: SourceColumn): readonly string[] {
  if (source.kind !== 'extra') return [name]
  const { assigns, field } = source.extra
  const relation = assigns === undefined ? undefined : model.fields.get(assigns)
  const keys =
    relation?.kind === 'genericForeignKey' ? genericKeys(assigns ?? '', relation) : undefined
  return [
    name,
    ...(field ? [field] : []),
    ...(assigns ? [assigns] : []),
    ...(keys ? [keys.id] : []),
  ]
}

function textsOf(messages: Messages): readonly string[] {
  if (typeof messages === 'string') return [messages]
  if (Array.isArray(messages)) return messages.flatMap(textsOf)
  return Object.entries(messages).flatMap(([name, each]) =>
    textsOf(each).map((text) => `${name}: ${text}`),
  )
}
