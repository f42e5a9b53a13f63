import { parseJsonSetting, type ValueType } from './value-types.ts'

/** Requirements for a new password. */
export interface PasswordPolicy {
  /** Minimum number of characters. */
  readonly shortest: number
  /** Requires a digit, a capital and a small letter. */
  readonly needsMixture: boolean
  /** Refuses common passwords. */
  readonly refusesCommon: boolean
  /** Refuses passwords similar to the user's name or address. */
  readonly refusesSimilar: boolean
  /** Refuses passwords of digits only. */
  readonly refusesNumeric: boolean
}

const NOTHING: PasswordPolicy = {
  shortest: 0,
  needsMixture: false,
  refusesCommon: false,
  refusesSimilar: false,
  refusesNumeric: false,
}

/** Length and kinds of characters as in NetBox 4.6.8; common passwords are refused in addition. */
export const DEFAULT_PASSWORD_POLICY: PasswordPolicy = {
  ...NOTHING,
  shortest: 12,
  needsMixture: true,
  refusesCommon: true,
}

type Options = Readonly<Record<string, unknown>>

/** Validators by the last part of the names that NetBox's configuration uses. */
const VALIDATORS: Readonly<Record<string, (options: Options) => Partial<PasswordPolicy>>> = {
  MinimumLengthValidator: ({ min_length: shortest = 8 }) => ({ shortest: Number(shortest) }),
  AlphanumericPasswordValidator: () => ({ needsMixture: true }),
  CommonPasswordValidator: () => ({ refusesCommon: true }),
  UserAttributeSimilarityValidator: () => ({ refusesSimilar: true }),
  NumericPasswordValidator: () => ({ refusesNumeric: true }),
}

/** A list of `{"NAME": …, "OPTIONS": {…}}`, as in NetBox's configuration. */
export const passwordPolicy: ValueType<PasswordPolicy> = {
  expects: `a JSON list of {"NAME": …, "OPTIONS": {…}}, the names among ${Object.keys(VALIDATORS).join(', ')}`,
  parse: (text) => {
    const list = parseJsonSetting(text)
    if (!Array.isArray(list)) return undefined
    const parts = list.map(readValidator)
    if (!parts.every((part) => part !== undefined)) return undefined
    const policy: PasswordPolicy = Object.assign({ ...NOTHING }, ...parts)
    return Number.isInteger(policy.shortest) && policy.shortest >= 0 ? policy : undefined
  },
}

function readValidator(entry: unknown): Partial<PasswordPolicy> | undefined {
  if (typeof entry !== 'object' || entry === null) return undefined
  const { NAME: name, OPTIONS: options = {} }: Record<string, unknown> = { ...entry }
  if (typeof name !== 'string' || typeof options !== 'object' || options === null) return undefined
  return VALIDATORS[name.split('.').at(-1) ?? '']?.({ ...options })
}
