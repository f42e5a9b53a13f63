import { type Rule, rulesFor } from '../../schema/rule.ts'
import { tunnelTermination } from './tunnel-termination.ts'

/** Reports the error on the interface; the declared constraint reports it on the object as well. */
const refuseSecondTunnel: Rule<typeof tunnelTermination.fields> = async ({ next, read }) => {
  const { termination_type, termination_id } = next
  if (termination_type === null || termination_id === null) return
  const other = await read.find(
    tunnelTermination,
    { termination_type, termination_id },
    { not: next.id },
  )
  return other ? { termination: 'The interface ends another tunnel already.' } : undefined
}

export const tunnelTerminationBehaviour = rulesFor(tunnelTermination, refuseSecondTunnel)
