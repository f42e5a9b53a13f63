import { closestMatch } from 'leven'
import { ConfigurationError } from '../base/errors.ts'
import { DECLARATIONS, type Declaration, type Settings } from './settings.ts'

/** Values of a revision by the names of settings, as JSON. */
export type RevisionData = Readonly<Record<string, unknown>>

interface DynamicSetting {
  /** Property of `Settings`. */
  readonly key: string
  readonly declaration: Declaration<unknown>
}

const DYNAMIC: readonly DynamicSetting[] = Object.entries<Declaration<unknown>>(DECLARATIONS)
  .filter(([, { dynamic }]) => dynamic === true)
  .map(([key, declaration]) => ({ key, declaration }))

/** Names of the settings that may be changed while the service runs. */
export const DYNAMIC_NAMES: readonly string[] = DYNAMIC.map(({ declaration }) => declaration.name)

/** The current value of a setting that may be changed, and where it comes from. */
export interface SettingState {
  readonly name: string
  readonly value: unknown
  readonly source: 'environment' | 'revision' | 'default'
  readonly help: string
  readonly default: unknown
  /** All values, if they are a few words. */
  readonly options: readonly string[] | undefined
}

/**
 * The settings with the values of a revision for all settings that the environment does not set, and sentences about
 * refused values.
 */
export function withRevision(
  base: Settings,
  revision: RevisionData,
): { readonly settings: Settings; readonly problems: readonly string[] } {
  const values = new Map<string, unknown>()
  const problems: string[] = []
  for (const { key, declaration } of DYNAMIC) {
    if (base.given.has(declaration.name)) continue
    const value = parseRevised(declaration, revision[declaration.name])
    if (value instanceof ConfigurationError) problems.push(value.message)
    else values.set(key, value ?? declaration.default)
  }
  // Each value has been parsed by the type of its own declaration.
  const settings = Object.freeze({ ...base, ...Object.fromEntries(values) }) as Settings
  return { settings, problems }
}

/** All settings that may be changed, with their values under the revision. */
export function settingStates(base: Settings, revision: RevisionData): readonly SettingState[] {
  const { settings } = withRevision(base, revision)
  return DYNAMIC.map(({ key, declaration: { name, help, type, default: standard } }) => ({
    name,
    value: settings[key as keyof Settings],
    source: base.given.has(name) ? 'environment' : name in revision ? 'revision' : 'default',
    help,
    default: standard,
    options: type.options,
  }))
}

/** A revision's value for the setting; undefined if it has none. */
function parseRevised({ name, type }: Declaration<unknown>, value: unknown): unknown | ConfigurationError {
  if (value === undefined) return undefined
  const parsed = type.parse(typeof value === 'string' ? value : JSON.stringify(value))
  if (parsed !== undefined) return parsed
  return new ConfigurationError(`${name} must be ${type.expects}, not ${JSON.stringify(value)}.`)
}

/** The JSON value that a revision stores for a value in the notation of the environment. Throws ConfigurationError. */
export function revisedValue(name: string, text: string): unknown {
  const setting = DYNAMIC.find(({ declaration }) => declaration.name === name)
  if (!setting && !Object.values<Declaration<unknown>>(DECLARATIONS).some((declaration) => declaration.name === name)) {
    const closest = closestMatch(name, DYNAMIC_NAMES, { maxDistance: 3 })
    throw new ConfigurationError(
      `There is no setting ${name}.${closest === undefined ? '' : ` Did you mean ${closest}?`}`,
    )
  }
  if (!setting) {
    throw new ConfigurationError(
      `${name} cannot be changed while the service runs; these settings can: ${DYNAMIC_NAMES.join(', ')}.`,
    )
  }
  const value = parseRevised(setting.declaration, text)
  if (value instanceof ConfigurationError) throw value
  return value
}
