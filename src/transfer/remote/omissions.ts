import type { Model } from '../../schema/registry.ts'
import { hiddenColumns } from '../hidden-columns.ts'
import { objectsOf, RECOVERED } from './recover-hidden.ts'

/** Data that an API does not provide about the objects that it shows. */
export interface Omissions {
  /** Number of users, whose passwords are unknown; they cannot sign in until one is set. */
  readonly users: number
  /** API tokens, whose secrets are unknown: `alice: backup script (id 7)`. */
  readonly tokens: readonly string[]
  /** Columns missing from responses, of collections that are not empty: `core/data-files: data`. */
  readonly hidden: readonly string[]
}

const USERS = 'users/users'
const TOKENS = 'users/tokens'
/** Both columns are derived from dcim/cable-terminations. */
const FOLLOWING = ['cable_connector', 'cable_positions']

/** Data that is missing from the data set in `directory`. */
export async function findOmissions(directory: string, models: readonly Model[]): Promise<Omissions> {
  const hidden: string[] = []
  for (const model of models) {
    if (model.path === USERS || model.path === TOKENS) continue
    const recoverable = [...FOLLOWING, ...(RECOVERED[model.path] ?? [])]
    const columns = hiddenColumns(model).filter(({ name }) => !recoverable.includes(name))
    if (columns.length === 0 || (await isEmpty(directory, model.path))) continue
    hidden.push(`${model.path}: ${columns.map(({ name }) => name).join(', ')}`)
  }
  let users = 0
  for await (const _ of objectsOf(directory, USERS)) users += 1
  const tokens: string[] = []
  for await (const { id, user, description } of objectsOf(directory, TOKENS)) {
    // Not the display: it contains a part of the secret.
    const named = [nameOf(user), description].filter(Boolean).join(': ')
    tokens.push(`${named} (id ${id})`)
  }
  return { users, tokens, hidden: hidden.sort() }
}

const nameOf = (user: unknown): string =>
  typeof user === 'object' && user !== null && 'username' in user ? String(user.username) : '?'

async function isEmpty(directory: string, endpoint: string): Promise<boolean> {
  for await (const _ of objectsOf(directory, endpoint)) return false
  return true
}
