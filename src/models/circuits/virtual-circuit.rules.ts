import { type Rule, rulesFor } from '../../schema/rule.ts'
import { providerAccount } from './provider-account.ts'
import { providerNetwork } from './provider-network.ts'
import { virtualCircuit } from './virtual-circuit.ts'

const accountIsWithProvider: Rule<typeof virtualCircuit.fields> = async ({ next, read }) => {
  if (next.provider_account === null) return
  const [account, network] = await Promise.all([
    read.get(providerAccount, next.provider_account),
    read.get(providerNetwork, next.provider_network),
  ])
  return account.provider === network.provider
    ? undefined
    : { provider_account: `${account.display} is an account with another provider.` }
}

export const virtualCircuitBehaviour = rulesFor(virtualCircuit, accountIsWithProvider)
