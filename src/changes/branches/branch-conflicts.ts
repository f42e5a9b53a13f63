import { createHash } from 'node:crypto'
import type { Messages } from '../../base/errors.ts'
import type { Json } from '../../schema/json.ts'
import type { ObjectReference } from '../../write/related-object.ts'

/** Why main and the branch cannot both have what they want. */
type BranchConflictReason =
  /** Both have changed the same field. */
  | 'changed'
  /** Main has deleted an object that the branch has changed. */
  | 'deletedOnMain'
  /** The branch has deleted an object that main has changed, or to which main now refers. */
  | 'deletedInBranch'
  /** The branch refers to an object that main has deleted. */
  | 'missing'
  /** Another object of main has the unique value. */
  | 'taken'
  /** Both have moved nodes of a tree below each other. */
  | 'circular'
  /** A rule refuses the object as the branch has it, or its deletion. */
  | 'refused'

/** A conflict between main and a branch; `field` is absent for an object as a whole. */
export interface BranchConflict {
  readonly reason: BranchConflictReason
  readonly type: string
  readonly id: number
  readonly field?: string | undefined
  /** Values in the form of columns; absent for whole objects, and for secrets. */
  readonly base?: Json | undefined
  readonly main?: Json | undefined
  readonly branch?: Json | undefined
  /** The object of main that has the value, or that is missing. */
  readonly other?: ObjectReference | undefined
  /** Number of objects of main that the branch's version deletes together with the object, or with `other`. */
  readonly deletes?: number | undefined
  /** What the rule says. */
  readonly messages?: Messages | undefined
  /** Digest of the values of both sides: a decision holds for these. */
  readonly state: string
}

/** What to keep: the branch's value, or main's. */
export type Keep = 'mine' | 'theirs'

/** A conflict with the decision about it. */
export interface JudgedConflict extends BranchConflict {
  readonly keep: Keep | undefined
}

/** A decision, with the digest of the values for which it was made. */
export interface Decision {
  readonly keep: Keep
  readonly state: string
}

/** Decisions by `conflictKey`. */
export type Decisions = Readonly<Record<string, Decision>>

/** Identifies a conflict of a branch. */
export const conflictKey = ({ type, id, field = '' }: Pick<BranchConflict, 'type' | 'id' | 'field'>): string =>
  `${type} ${id} ${field}`

/** The decision about the conflict; undefined if a value has changed since. */
export const decisionFor = (decisions: Decisions, conflict: BranchConflict): Keep | undefined => {
  const decision = decisions[conflictKey(conflict)]
  return decision?.state === conflict.state ? decision.keep : undefined
}

/** Digest of the conflicting values. */
export const stateOf = (...values: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(values)).digest('base64url').slice(0, 22)
