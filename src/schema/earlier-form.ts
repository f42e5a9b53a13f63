import { type ApiVersion, LATEST } from '../base/api-version.ts'
import type { Fields } from './field.ts'
import type { Definition } from './model.ts'

/** How an earlier version of the API shows a model, if that differs from the declaration. */
export interface EarlierForm extends Partial<Omit<Definition, 'name' | 'fields' | 'earlier'>> {
  /** Fields that the version does not have. */
  readonly without?: readonly string[]
  /** Fields that the version shows differently; they must have the same columns. */
  readonly fields?: Fields
}

/** The declaration in the form of that version. Columns stay, so that both forms have the same tables. */
export function formIn(definition: Definition, version: ApiVersion): Definition {
  const { earlier } = definition
  if (version === LATEST || earlier === undefined) return definition
  if (earlier === 'absent') {
    const { path: _path, features = [], ...withoutPath } = definition
    // Its objects still appear in those of other models, also in lists as of a point in time and in branches.
    return { hasHistory: features.includes('changeLogging'), ...withoutPath, private: true, graphql: false }
  }
  const { without = [], fields, ...options } = earlier
  const isKept = (entry: string) => !without.includes(entry)
  const names = Object.entries({ ...definition.fields, ...fields })
  return {
    ...definition,
    brief: definition.brief.filter(isKept),
    ...(definition.nested && { nested: definition.nested.filter(isKept) }),
    ...(definition.answer && { answer: definition.answer.filter(isKept) }),
    fields: Object.fromEntries(
      names.flatMap(([name, field]) => {
        if (isKept(name)) return [[name, field]]
        return COLUMNLESS.has(field.kind) ? [] : [[name, { ...field, hidden: true }]]
      }),
    ),
    ...options,
  }
}

/** Kinds of fields that exist only in responses. */
const COLUMNLESS: ReadonlySet<string> = new Set(['computed', 'derived', 'derivedKey', 'relatedCount', 'reverse'])
