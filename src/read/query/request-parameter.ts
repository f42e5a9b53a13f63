import type { Model, Registry } from '../../schema/registry.ts'
import type { LookupName } from './lookups.ts'

/** One parameter of a request, with its meaning for the model. */
export interface RequestParameter {
  readonly registry: Registry
  readonly model: Model
  /** Without the lookup: `name`. */
  readonly base: string
  readonly lookup: LookupName
  /** As sent, in order, including empty ones. At least one. */
  readonly values: readonly string[]
  /** Whether several values count, or only the last. */
  readonly multiple: boolean
}

/** The value that means "no value". */
export const NULL_TOKEN = 'null'

/** The values that count: all or the last, without empty ones. */
export function parameterValues({ values, multiple }: RequestParameter): readonly string[] {
  const counted = multiple ? values : values.slice(-1)
  return counted.filter((value) => value !== '')
}

export const lastParameterValue = ({ values }: RequestParameter): string => values.at(-1) ?? ''
