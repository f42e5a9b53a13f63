import { isJsonObject } from '../../schema/json.ts'
import { type Rule, rulesFor } from '../../schema/rule.ts'
import { savedFilter } from './saved-filter.ts'

const holdsParameters: Rule<typeof savedFilter.fields> = ({ next }) =>
  isJsonObject(next.parameters) && Object.keys(next.parameters).length > 0
    ? undefined
    : { parameters: 'A filter is an object of parameters and their values.' }

export const savedFilterBehaviour = rulesFor(savedFilter, holdsParameters)
