import type { Audit } from '../../schema/audit.ts'
import { type Behaviour, behaviour, type EffectFunction, type Normalizer, type Rule } from '../../schema/rule.ts'
import type { TokenVersion, Vault } from '../../schema/vault.ts'
import { branch } from '../core/branch.ts'
import { token } from './token.ts'

const EVENTS = {
  create: 'tokenCreated',
  update: 'tokenChanged',
  delete: 'tokenDeleted',
  restore: 'tokenCreated',
} as const

/** Reports to the audit log which tokens became valid and which became invalid. */
const auditTokens =
  (audit: Audit): EffectFunction<typeof token.fields> =>
  async ({ action, rows, origin, afterCommit }) => {
    const ids = rows.map(({ next, previous }) => (next ?? previous)?.id ?? 0)
    afterCommit(() => audit({ event: EVENTS[action], ids, ...origin }))
  }

type TokenRule = Rule<typeof token.fields>
type TokenPreparation = Normalizer<typeof token.fields>

const versionStays: TokenRule = ({ next, previous }) =>
  previous && previous.version !== next.version ? { __all__: 'The version of a token cannot be changed.' } : undefined

const expiresInTheFuture: TokenRule = ({ next, previous, sent, now }) =>
  !previous && sent.has('expires') && next.expires !== null && Date.parse(next.expires) <= Date.parse(now)
    ? { expires: 'The expiry must be in the future.' }
    : undefined

/** Refuses a key from the client (to restore a token) that another token has. */
const keyIsFree =
  (vault: Vault): TokenRule =>
  async ({ next, previous, read }) => {
    if (previous || next.version !== 1 || next.key === null) return
    const { digest } = vault.sealToken(1, next.key)
    const duplicate = await read.find(token, { digest })
    return duplicate ? { key: 'token with this key already exists.' } : undefined
  }

/** Refuses a branch that the writing user may not view. */
const branchIsVisible: TokenRule = async ({ next, previous, read }) =>
  next.branch === null || next.branch === previous?.branch || (await read.shows(branch, next.branch))
    ? undefined
    : { branch: `Related object not found using the provided numeric ID: ${next.branch}` }

/** User and secret of a token cannot change after its creation. */
const keepIdentity: TokenPreparation = ({ previous }) =>
  previous && { user: previous.user, key: previous.key, pepper_id: previous.pepper_id }

/** Replaces the secret, which the body contains as `key`, by its digest. */
const seal =
  (vault: Vault): TokenPreparation =>
  ({ next, previous }) => {
    if (previous) return undefined
    if (next.key === null) throw new Error('A token reached the database without a secret')
    return vault.sealToken(next.version as TokenVersion, next.key) // its values are the field's choices
  }

/** Behaviour of tokens, whose secrets are never stored. */
export const tokenBehaviour = (vault: Vault, audit: Audit): Behaviour =>
  behaviour(token, {
    normalize: [keepIdentity],
    modelRules: [branchIsVisible, versionStays, expiresInTheFuture, keyIsFree(vault)],
    beforeSave: [seal(vault)],
    afterWrite: [auditTokens(audit)],
  })
