import leven, { closestMatch } from 'leven'
import { DECLARATIONS, type Declaration } from './settings.ts'

const SETTINGS = Object.values<Declaration<unknown>>(DECLARATIONS)
const NAMES: readonly string[] = SETTINGS.map(({ name }) => name)
const KNOWN: ReadonlySet<string> = new Set(NAMES)

/** Shorter prefixes, such as `MAX_`, are common in the environments of other programs. */
const SHORTEST_PREFIX = 4
/** Largest edit distance of a misspelling; for short names one, since two edits turn `HOME` into `HOST`. */
const EDITS = { short: 1, long: 2 } as const
const LONG_NAME = 8

/** Prefixes shared by all settings that begin with the same word: `LOGIN_`, `SESSION_COOKIE_`. */
const PREFIXES: readonly string[] = [...Map.groupBy(NAMES, (name) => name.split('_')[0] ?? name)]
  .filter(([first, names]) => first.length >= SHORTEST_PREFIX && names.length > 1)
  .map(([, names]) => `${sharedWords(names).join('_')}_`)

function sharedWords(names: readonly string[]): readonly string[] {
  const [first = [], ...others] = names.map((name) => name.split('_'))
  const end = first.findIndex((word, at) => others.some((words) => words[at] !== word))
  return end < 0 ? first : first.slice(0, end)
}

/**
 * One sentence for each environment variable that looks like a misspelt setting: it has the prefix of several settings,
 * or is one or two edits away from one.
 */
export function unknownSettings(environment: Readonly<Record<string, string | undefined>>): readonly string[] {
  return Object.keys(environment)
    .filter((name) => !KNOWN.has(name) && environment[name] !== '')
    .flatMap((name) => {
      const meant = misspeltName(name)
      const prefix = PREFIXES.find((candidate) => name.startsWith(candidate))
      if (meant !== undefined) return [`${name} is not a setting. Did you mean ${meant}?`]
      if (prefix === undefined) return []
      const similar = NAMES.filter((candidate) => candidate.startsWith(prefix)).join(', ')
      return [`${name} is not a setting. The settings that begin with ${prefix} are ${similar}.`]
    })
}

/** The setting that the name misspells, in any case; undefined if there is none. */
function misspeltName(name: string): string | undefined {
  const upper = name.toUpperCase()
  const closest = closestMatch(upper, NAMES, { maxDistance: EDITS.long })
  if (closest === undefined) return undefined
  const edits = closest.length < LONG_NAME ? EDITS.short : EDITS.long
  return leven(upper, closest) <= edits ? closest : undefined
}
