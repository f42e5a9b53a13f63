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

/** A variable of a script: a value that the user who runs it sets. */
export interface Variable {
  readonly type: VariableKind
  /** Any value is possible in a script that has not been checked yet. */
  readonly options: JsonObject
}

/** The declaration of a script. */
export interface ScriptDeclaration {
  readonly name: string
  readonly description: string
  readonly variables: Readonly<Record<string, Variable>>
  readonly schedulingEnabled: boolean
  /** Seconds; undefined: the default for jobs. */
  readonly timeout: number | undefined
  readonly notifications: 'always' | 'on_failure' | 'never'
}

const NOTIFICATIONS = ['always', 'on_failure', 'never'] as const
const LONGEST_NAME = 79

/** The declarations that a script file has sent. Throws an Error with a message for its author. */
export function readDeclarations(sent: Json): readonly ScriptDeclaration[] {
  if (!Array.isArray(sent) || sent.length === 0) {
    throw new Error('the file exports no script: neither a function run nor an object with one')
  }
  return sent.map((one: Json) => readDeclaration(isJsonObject(one) ? one : {}))
}

function readDeclaration(sent: JsonObject): ScriptDeclaration {
  const { name, description = '', variables = {}, schedulingEnabled = true, timeout = null } = sent
  const { notificationsDefault = 'always' } = sent
  if (typeof name !== 'string' || name === '' || name.length > LONGEST_NAME) {
    throw new Error(`the name of a script must be a text of 1 to ${LONGEST_NAME} characters`)
  }
  const refuse = (what: string) => new Error(`${name}: ${what}`)
  if (typeof description !== 'string') throw refuse('description must be a text')
  if (typeof schedulingEnabled !== 'boolean') throw refuse('schedulingEnabled must be a boolean')
  if (timeout !== null && (typeof timeout !== 'number' || !(timeout >= 1 && timeout <= 2e6))) {
    throw refuse('timeout must be a number of seconds')
  }
  const notifications = NOTIFICATIONS.find((option) => option === notificationsDefault)
  if (!notifications) throw refuse(`notificationsDefault must be one of ${NOTIFICATIONS.join(', ')}`)
  if (!isJsonObject(variables)) throw refuse('variables must be an object')
  const entries = Object.entries(variables).map(([key, variable]) => [
    key,
    readVariable(variable, () =>
      refuse(`the variable ${key} has no type: one of ${Object.keys(VARIABLE_KINDS).join(', ')}`),
    ),
  ])
  return {
    ...{ name, description, schedulingEnabled, notifications },
    variables: Object.fromEntries(entries),
    timeout: timeout === null ? undefined : Math.ceil(timeout),
  }
}

function readVariable(variable: Json, refusal: () => Error): Variable {
  if (!isJsonObject(variable)) throw refusal()
  const { type, ...options } = variable
  if (typeof type !== 'string' || !Object.hasOwn(VARIABLE_KINDS, type)) throw refusal()
  return { type: type as VariableKind, options } // a key of the table, as just checked
}

/** The variables as the API shows them: the class of each. */
export const shownVariables = ({ variables }: ScriptDeclaration): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(variables).map(([name, { type }]) => [name, VARIABLE_KINDS[type]]))
