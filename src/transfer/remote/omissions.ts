import type { Model } from '../../schema/registry.ts'
import { hiddenColumns } from '../hidden-columns.ts'
import { objectsOf, RECOVERED } from './recover-hidden.ts'

/** What an API cannot give of the objects that it shows. */
export interface Omissions {
  /** Users whose password is not known; nobody can sign in as them until it is set. */
  readonly users: number
  /** API tokens, whose secrets are not known: `alice: backup script (id 7)`. */
  readonly tokens: readonly string[]
  /** Columns that answers do not show, of the collections that hold anything: `core/data-files: data`. */
  readonly hidden: readonly string[]
}

const USERS = 'users/users'
const TOKENS = 'users/tokens'
/** Both columns follow from dcim/cable-terminations. */
const FOLLOWING = ['cable_connector', 'cable_positions']

/** What the data set in `directory` is without. */
export async function findOmissions(
  directory: string,
  models: readonly Model[],
): Promise<Omissions> {
  const hidden: string[] = []
  for (const model of models) {
    if (model.path === USERS || model.path === TOKENS) continue
    const known = [...FOLLOWING, ...(RECOVERED[model.path] ?? [])]
    const columns = hiddenColumns(model).filter(({ name }) => !known.includes(name))
    if (columns.length === 0 || (await isEmpty(directory, model.path))) continue
    hidden.push(`${model.path}: ${columns.map(({ name }) => name).join(', ')}`)
  }
  let users = 0
  for await (const _ of objectsOf(directory, USERS)) users += 1
  const tokens: string[] = []
  for await (const { id, user, description } of objectsOf(directory, TOKENS)) {
    // Not the display: it shows a part of the secret.
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
