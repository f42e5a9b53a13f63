import { behaviour, type Rule } from '../../schema/rule.ts'
import { distanceNeedsUnit, dropUnitWithoutDistance } from '../dcim/distance.rules.ts'
import { refuseNegative } from '../dcim/not-negative.rules.ts'
import { circuit } from './circuit.ts'
import { providerAccount } from './provider-account.ts'

const accountIsWithProvider: Rule<typeof circuit.fields> = async ({ next, read }) => {
  if (next.provider_account === null) return
  const account = await read.get(providerAccount, next.provider_account)
  return account.provider === next.provider
    ? undefined
    : { provider_account: `${account.display} is an account with another provider.` }
}

export const circuitBehaviour = behaviour(circuit, {
  modelRules: [distanceNeedsUnit, refuseNegative('distance'), accountIsWithProvider],
  beforeSave: [dropUnitWithoutDistance],
})
