import { closestMatch } from 'leven'
import { DECLARATIONS } from '../config/settings.ts'

const SETTINGS: ReadonlySet<string> = new Set(Object.values(DECLARATIONS).map(({ name }) => name))
/** Edits after which a word still counts as a misspelling. */
const EDITS = 3

/** The message for a first argument that is no command, with the closest command if there is one. */
export function unknownCommand(word: string, commands: readonly string[]): string {
  const closest = closestMatch(word, commands, { maxDistance: EDITS })
  const hint = closest === undefined ? '' : ` Did you mean ${closest}?`
  return `error: unknown command '${word}'.${hint}`
}

/** Where the message refuses an option that has the name of a setting, how that setting is given. */
export function settingHint(message: string): string {
  const [, option = ''] = /unknown option '--([a-z][\w-]*)/i.exec(message) ?? []
  const name = option.replaceAll('-', '_').toUpperCase()
  return SETTINGS.has(name) ? `${name} is an environment variable: ${name}=<value> npm start\n` : ''
}
