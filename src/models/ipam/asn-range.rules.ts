import { type Rule, rulesFor } from '../../schema/rule.ts'
import { asnRange } from './asn-range.ts'

const endsAfterStart: Rule<typeof asnRange.fields> = ({ next }) =>
  next.end <= next.start
    ? { __all__: `The range must end after ${next.start}, where it starts.` }
    : undefined

export const asnRangeBehaviour = rulesFor(asnRange, endsAfterStart)
