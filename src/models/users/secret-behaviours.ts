import type { Audit } from '../../schema/audit.ts'
import type { Behaviour } from '../../schema/rule.ts'
import type { Vault } from '../../schema/vault.ts'
import { tokenBehaviour } from './token.rules.ts'
import { userBehaviour } from './user.rules.ts'

/** Behaviour of the models with secrets; it needs the vault, which is outside of the database. */
export const secretBehaviours = (vault: Vault, audit: Audit): readonly Behaviour[] => [
  userBehaviour(vault, audit),
  tokenBehaviour(vault, audit),
]
