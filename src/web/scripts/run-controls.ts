import type { JobNotifications } from '../../automation/jobs/enqueue.ts'
import type { ScriptDeclaration, Variable, VariableKind } from '../../automation/scripts/declaration.ts'
import { isJsonObject, type Json, type JsonObject } from '../../schema/json.ts'
import type { Registry } from '../../schema/registry.ts'
import {
  type Control,
  type InputControl,
  type Option,
  type SentAs,
  type TextType,
  wordsInput,
} from '../components/control.ts'
import { humanize } from '../components/humanize.ts'
import type { ControlGroup } from '../forms/edit-controls.ts'
import type { Narrowing } from '../forms/pickers.ts'
import { translate } from '../texts/translate.ts'

/**
 * Name of a control for the execution. As in NetBox's form, variables have their own names, so that links that fill in
 * the form keep working.
 */
export const executionName = (name: string): string => `_${name}`

/** The form to run a script: its variables, whether its changes are saved, and when it runs. */
export function runGroups(registry: Registry, declaration: ScriptDeclaration): readonly ControlGroup[] {
  const { variables, fieldsets } = declaration
  const all = [[translate('Variables'), Object.keys(variables)] as const]
  const groups = (fieldsets ?? all).map(([label, fields]) => ({
    label,
    controls: fields.flatMap((field) => {
      const variable = Object.hasOwn(variables, field) ? variables[field] : undefined
      return variable ? [variableControl(registry, field, variable)] : []
    }),
  }))
  const execution = executionControls(declaration).map((control) => ({
    ...control,
    name: executionName(control.name),
  }))
  return [...groups, { label: translate('Execution'), controls: execution }]
}

/** Which choices of objects depend on other variables, and which filters they always have. */
export function choiceFilters({ variables }: ScriptDeclaration): {
  readonly narrowedBy: Readonly<Record<string, Narrowing>>
  readonly filters: ReadonlyMap<string, URLSearchParams>
} {
  const narrowedBy: Record<string, Narrowing> = {}
  const filters = new Map<string, URLSearchParams>()
  for (const [name, { options }] of Object.entries(variables)) {
    const dependent: Record<string, string> = {}
    const fixed = new URLSearchParams()
    for (const [parameter, value] of isJsonObject(options.queryParams) ? Object.entries(options.queryParams) : []) {
      for (const text of textsIn(value)) {
        if (text.startsWith('$')) dependent[parameter] = text.slice(1)
        else fixed.append(parameter, text)
      }
    }
    narrowedBy[name] = dependent
    filters.set(name, fixed)
  }
  return { narrowedBy, filters }
}

function executionControls({ schedulingEnabled, notifications, commitDefault }: ScriptDeclaration): readonly Control[] {
  const schedule: readonly Control[] = [
    {
      name: 'schedule_at',
      label: translate('Run at (UTC)'),
      help: translate('Empty: at once'),
      input: { kind: 'text', type: 'datetime-local', value: '' },
      sentAs: 'textOrNull',
    },
    {
      name: 'interval',
      label: translate('Repeat every … minutes'),
      input: { kind: 'text', type: 'number', value: '', limits: { min: '1' } },
      sentAs: 'number',
    },
  ]
  return [
    {
      name: 'commit',
      label: translate('Save the changes'),
      help: translate('Otherwise the script runs and its changes are rolled back.'),
      input: { kind: 'checkbox', isChecked: commitDefault },
      sentAs: 'boolean',
    },
    ...(schedulingEnabled ? schedule : []),
    {
      name: 'notifications',
      label: translate('Notify me'),
      input: { kind: 'select', options: notificationOptions(), chosen: [notifications] },
      sentAs: 'text',
    },
  ]
}

const notificationOptions = (): readonly (Option & { readonly value: JobNotifications })[] => [
  { value: 'always', label: translate('Always') },
  { value: 'on_failure', label: translate('On failure') },
  { value: 'never', label: translate('Never') },
]

/** A control for a variable by its kind, with the default value. */
function variableControl(registry: Registry, name: string, variable: Variable): Control {
  const { type, options } = variable
  const { label, description, widget } = options
  return {
    name,
    label: typeof label === 'string' && label !== '' ? label : humanize(name),
    help: typeof description === 'string' && description !== '' ? description : undefined,
    isRequired: options.required !== false && type !== 'boolean',
    isHidden: widget === 'HiddenInput',
    input: inputOf(registry, variable),
    sentAs: SENT_AS[type],
  }
}

const SENT_AS: Readonly<Record<VariableKind, SentAs>> = {
  string: 'textOrNull',
  text: 'textOrNull',
  integer: 'number',
  decimal: 'textOrNull',
  boolean: 'boolean',
  choice: 'textOrNull',
  multiChoice: 'words',
  object: 'id',
  multiObject: 'ids',
  file: 'file',
  ipAddress: 'textOrNull',
  ipAddressWithMask: 'textOrNull',
  ipNetwork: 'textOrNull',
  date: 'textOrNull',
  dateTime: 'textOrNull',
}

const TEXT_TYPES: Readonly<Partial<Record<VariableKind, TextType>>> = {
  integer: 'number',
  decimal: 'number',
  date: 'date',
  dateTime: 'datetime-local',
}

function inputOf(registry: Registry, { type, options }: Variable): InputControl {
  const chosen = textsIn(options.default)
  const { widget } = options
  switch (type) {
    case 'string':
    case 'text':
      if (widget === 'PasswordInput') return { kind: 'text', type: 'password', value: '' }
      if (type === 'text' || widget === 'Textarea') return { kind: 'lines', value: chosen[0] ?? '', rows: 5 }
      return { kind: 'text', type: 'text', value: chosen[0] ?? '', limits: limitsOf(options) }
    case 'boolean':
      return { kind: 'checkbox', isChecked: options.default === true }
    case 'choice':
      return { kind: 'select', options: choicesIn(options.choices), chosen, empty: '—' }
    case 'multiChoice':
      return wordsInput(choicesIn(options.choices), chosen)
    case 'object':
    case 'multiObject': {
      const model = registry.models.get(String(options.model ?? ''))
      const isMultiple = type === 'multiObject'
      const objects = chosen.map((value) => ({ value }))
      return model && model.path !== ''
        ? {
            kind: 'objects',
            collection: `/api/${model.path}/`,
            key: 'id',
            isMultiple,
            chosen: objects,
            ...(typeof options.nullOption === 'string' && { none: options.nullOption }),
          }
        : { kind: 'text', type: 'text', value: chosen.join(',') }
    }
    case 'file':
      return { kind: 'file' }
    default:
      return { kind: 'text', type: TEXT_TYPES[type] ?? 'text', value: chosen[0] ?? '', limits: limitsOf(options) }
  }
}

/** HTML attributes by the options that they follow from. */
const LIMITS = { minLength: 'minlength', maxLength: 'maxlength', min: 'min', max: 'max' }

function limitsOf(options: JsonObject): Readonly<Record<string, string>> {
  const { decimalPlaces, attrs } = options
  const step = isJsonObject(attrs) ? attrs.step : undefined
  const limits = Object.entries(LIMITS).flatMap(([option, attribute]) =>
    options[option] == null ? [] : [[attribute, String(options[option])] as const],
  )
  return {
    ...Object.fromEntries(limits),
    ...(typeof decimalPlaces === 'number' && { step: String(10 ** -decimalPlaces) }),
    ...(step != null && { step: String(step) }),
  }
}

const textsIn = (value: Json | undefined): readonly string[] =>
  [value ?? []].flat().flatMap((part) => (part === null ? [] : [String(part)]))

/** Choices are values, or pairs of a value and its label; a group has choices in place of a label. */
const choicesIn = (choices: Json | undefined): readonly Option[] =>
  Array.isArray(choices)
    ? choices.flatMap((choice: Json): readonly Option[] => {
        const [value, label = value] = Array.isArray(choice) ? choice : [choice]
        if (Array.isArray(label)) return choicesIn(label)
        return value === null ? [] : [{ value: String(value), label: String(label) }]
      })
    : []
