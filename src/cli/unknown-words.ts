import { closestMatch } from 'leven'
import { DECLARATIONS } from '../config/settings.ts'

const SETTINGS: ReadonlySet<string> = new Set(Object.values(DECLARATIONS).map(({ name }) => name))
/** Largest edit distance at which a word counts as a misspelling. */
const EDITS = 3

/** The message for an unknown first argument, with the closest command if there is one. */
export function unknownCommand(word: string, commands: readonly string[]): string {
  const closest = closestMatch(word, commands, { maxDistance: EDITS })
  const hint = closest === undefined ? '' : ` Did you mean ${closest}?`
  return `error: unknown command '${word}'.${hint}`
}

/** For a message that refuses an option with the name of a setting: explains how to set it. */
export function settingHint(message: string): string {
  const [, option = ''] = /unknown option '--([a-z][\w-]*)/i.exec(message) ?? []
  const name = option.replaceAll('-', '_').toUpperCase()
  return SETTINGS.has(name) ? `${name} is an environment variable: ${name}=<value> npm start\n` : ''
}
