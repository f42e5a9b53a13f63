import { isJsonObject, type Json, type JsonObject } from '../../schema/json.ts'

/** Kinds of variables, with their names in the API. */
const VARIABLE_KINDS = {
  string: 'StringVar',
  text: 'TextVar',
  integer: 'IntegerVar',
  decimal: 'DecimalVar',
  boolean: 'BooleanVar',
  choice: 'ChoiceVar',
  multiChoice: 'MultiChoiceVar',
  object: 'ObjectVar',
  multiObject: 'MultiObjectVar',
  file: 'FileVar',
  ipAddress: 'IPAddressVar',
  ipAddressWithMask: 'IPAddressWithMaskVar',
  ipNetwork: 'IPNetworkVar',
  date: 'DateVar',
  dateTime: 'DateTimeVar',
} as const

export type VariableKind = keyof typeof VARIABLE_KINDS

const KINDS_BY_CLASS: ReadonlyMap<string, VariableKind> = new Map(
  Object.entries(VARIABLE_KINDS).map(([kind, name]) => [name, kind as VariableKind]), // the keys of the table
)

/** A variable of a script: a value that the user who runs it sets. */
export interface Variable {
  readonly type: VariableKind
  /** Name of the class that the API shows, if it is not that of the type: one that a script derives. */
  readonly className?: string
  /** Any value is possible in a script that has not been checked yet. */
  readonly options: JsonObject
}

/** The declaration of a script. */
export interface ScriptDeclaration {
  /** Name of its class. */
  readonly name: string
  readonly description: string
  readonly variables: Readonly<Record<string, Variable>>
  readonly schedulingEnabled: boolean
  /** Seconds; undefined: the default for jobs. */
  readonly timeout: number | undefined
  readonly notifications: 'always' | 'on_failure' | 'never'
  /** Name that the pages show. */
  readonly title: string
  /** The variables that the form shows, by their headings; undefined: all. */
  readonly fieldsets: readonly (readonly [label: string, names: readonly string[]])[] | undefined
  readonly commitDefault: boolean
  /** Why the script cannot be run: a limit of time that is not valid. */
  readonly timeoutProblem: string | undefined
  /** As `timeoutProblem`, for runs that do not say when to notify. */
  readonly notificationsProblem: string | undefined
}

const NOTIFICATIONS = ['always', 'on_failure', 'never'] as const
const LONGEST_NAME = 79

/**
 * The declarations in the description of a file (see python/describe.py); there may be none. Throws an Error for
 * a name that cannot be stored.
 */
export function readDeclarations(sent: Json): readonly ScriptDeclaration[] {
  const scripts = isJsonObject(sent) && Array.isArray(sent.scripts) ? (sent.scripts as readonly Json[]) : []
  return scripts.map((script) => readDeclaration(isJsonObject(script) ? script : {}))
}

function readDeclaration(sent: JsonObject): ScriptDeclaration {
  const { className, name, description, variables, fieldsets, timeout = null, notificationsDefault = null } = sent
  if (typeof className !== 'string' || className.length > LONGEST_NAME) {
    throw new Error(`the name of a script may have at most ${LONGEST_NAME} characters`)
  }
  const seconds = secondsOf(timeout)
  const notifications = NOTIFICATIONS.find((option) => option === notificationsDefault)
  return {
    name: className,
    description: String(description),
    variables: isJsonObject(variables) ? readVariables(variables) : {},
    schedulingEnabled: sent.schedulingEnabled !== false,
    timeout: Number.isNaN(seconds) ? undefined : seconds,
    notifications: notifications ?? 'always',
    title: String(name),
    fieldsets: Array.isArray(fieldsets) ? fieldsets.flatMap(readFieldset) : undefined,
    commitDefault: sent.commitDefault !== false,
    timeoutProblem: Number.isNaN(seconds)
      ? `Invalid job_timeout value ${quoted(timeout)}: must be an integer (seconds) or a duration string such as '1h' or '30m'.`
      : undefined,
    notificationsProblem: notifications
      ? undefined
      : `Invalid notifications value ${quoted(notificationsDefault)}: must be one of ${NOTIFICATIONS.join(', ')}.`,
  }
}

const readVariables = (variables: JsonObject): ScriptDeclaration['variables'] =>
  Object.fromEntries(
    Object.entries(variables).map(([name, variable]) => {
      const { type, className, ...options } = isJsonObject(variable) ? variable : {}
      const kind = KINDS_BY_CLASS.get(String(type)) ?? 'string'
      return [name, { type: kind, options, ...(className !== type && { className: String(className) }) }]
    }),
  )

const readFieldset = (fieldset: Json): readonly (readonly [string, readonly string[]])[] => {
  const [label, names] = Array.isArray(fieldset) ? fieldset : []
  return [[String(label), Array.isArray(names) ? names.map(String) : []]]
}

const SECONDS = { '': 1, s: 1, m: 60, h: 3_600, d: 86_400 }
/** The longest limit of time that a job can have. */
const LONGEST_TIMEOUT = 2_000_000

/** Seconds of a `job_timeout`, which may have a unit; undefined: the default. NaN if it is not valid. */
function secondsOf(timeout: Json): number | undefined {
  if (timeout === null || timeout === 0 || timeout === '') return undefined
  if (timeout === -1) return LONGEST_TIMEOUT
  const [, digits, unit = ''] = /^(\d{1,9})([smhd]?)$/i.exec(String(timeout)) ?? []
  return Math.min(LONGEST_TIMEOUT, Number(digits) * SECONDS[unit.toLowerCase() as keyof typeof SECONDS]) // as matched
}

/** A value as Python writes it. */
const quoted = (value: Json): string => (typeof value === 'string' ? `'${value}'` : JSON.stringify(value))

/** The variables as the API shows them: the class of each. */
export const shownVariables = ({ variables }: ScriptDeclaration): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(variables).map(([name, { type, className = VARIABLE_KINDS[type] }]) => [name, className]),
  )

/** The variables as `host.py` takes them: as `describe.py` has described them. */
export const describedVariables = ({ variables }: ScriptDeclaration): JsonObject =>
  Object.fromEntries(
    Object.entries(variables).map(([name, { type, options }]) => [name, { ...options, type: VARIABLE_KINDS[type] }]),
  )
