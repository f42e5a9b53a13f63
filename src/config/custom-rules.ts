import { parseJsonSetting, type ValueType } from './value-types.ts'

/** Conditions on one value. */
export interface ValueChecks {
  readonly min?: number
  readonly max?: number
  readonly min_length?: number
  readonly max_length?: number
  /** Matches somewhere in the text; without backtracking, so linear in its length. */
  readonly regex?: string
  readonly required?: boolean
  readonly prohibited?: boolean
  readonly eq?: string | number | boolean | null
  readonly neq?: string | number | boolean | null
}

/** Conditions by the path of a value: `name`, `region.name`, `request.user.username`. */
type CustomRule = Readonly<Record<string, ValueChecks>>

/** Rules by model, `dcim.site`: conditions, and classes in Python by their names, `site_rules.SiteRules`. */
export type CustomRules = Readonly<Record<string, readonly (CustomRule | string)[]>>

type IsValue = (value: unknown) => boolean

const isNumber: IsValue = (value) => typeof value === 'number'
const isFlag: IsValue = (value) => typeof value === 'boolean'
const isScalar: IsValue = (value) => value === null || ['string', 'number', 'boolean'].includes(typeof value)

const CHECKS: ReadonlyMap<string, IsValue> = new Map([
  ['min', isNumber],
  ['max', isNumber],
  ['min_length', isNumber],
  ['max_length', isNumber],
  ['regex', (value) => typeof value === 'string'],
  ['required', isFlag],
  ['prohibited', isFlag],
  ['eq', isScalar],
  ['neq', isScalar],
])

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isChecks = (value: unknown): boolean =>
  isObject(value) &&
  Object.keys(value).length > 0 &&
  Object.entries(value).every(([name, argument]) => CHECKS.get(name)?.(argument) ?? false)

const CLASS_NAME = /^[A-Za-z_]\w*(\.[A-Za-z_]\w*)+$/

const isRule = (value: unknown): boolean =>
  (typeof value === 'string' && CLASS_NAME.test(value)) || isRuleOfValues(value)

const isRuleOfValues = (value: unknown): boolean =>
  isObject(value) && Object.keys(value).length > 0 && Object.values(value).every(isChecks)

export const customRules: ValueType<CustomRules> = {
  expects: `a JSON object such as {"dcim.site": [{"name": {"min_length": 5}}, "site_rules.SiteRules"]}, with the conditions ${[...CHECKS.keys()].join(', ')} and classes in Python`,
  parse: (text) => {
    const value = parseJsonSetting(text)
    if (!isObject(value)) return undefined
    const lists = Object.entries(value)
    if (!lists.every(([, list]) => Array.isArray(list) && list.every(isRule))) return undefined
    return Object.fromEntries(lists.map(([model, list]) => [model.toLowerCase(), list])) as CustomRules // as checked above
  },
}
