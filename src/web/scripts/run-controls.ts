import type { JobNotifications } from '../../automation/jobs/enqueue.ts'
import type { ScriptDeclaration, Variable, VariableKind } from '../../automation/scripts/declaration.ts'
import type { Json } from '../../schema/json.ts'
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
import { translate } from '../texts/translate.ts'

/** Prefix of the names of controls for variables. */
export const DATA = 'data.'

/** The form to run a script: its variables, whether its changes are saved, and when it runs. */
export const runGroups = (registry: Registry, declaration: ScriptDeclaration): readonly ControlGroup[] => [
  {
    label: translate('Variables'),
    controls: Object.entries(declaration.variables).map(([name, variable]) =>
      variableControl(registry, name, variable),
    ),
  },
  { label: translate('Execution'), controls: executionControls(declaration) },
]

function executionControls({ schedulingEnabled, notifications }: ScriptDeclaration): readonly Control[] {
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
      input: { kind: 'text', type: 'number', value: '' },
      sentAs: 'number',
    },
  ]
  return [
    {
      name: 'commit',
      label: translate('Save the changes'),
      help: translate('Otherwise the script runs and its changes are rolled back.'),
      input: { kind: 'checkbox', isChecked: true },
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
  const { label, description } = options
  return {
    name: `${DATA}${name}`,
    label: typeof label === 'string' && label !== '' ? label : humanize(name),
    help: typeof description === 'string' && description !== '' ? description : undefined,
    isRequired: options.required !== false && type !== 'boolean',
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
  date: 'date',
  dateTime: 'datetime-local',
}

function inputOf(registry: Registry, { type, options }: Variable): InputControl {
  const chosen = textsIn(options.default)
  switch (type) {
    case 'text':
      return { kind: 'lines', value: chosen[0] ?? '', rows: 5 }
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
          }
        : { kind: 'text', type: 'text', value: chosen.join(',') }
    }
    case 'file':
      return { kind: 'file' }
    default:
      return { kind: 'text', type: TEXT_TYPES[type] ?? 'text', value: chosen[0] ?? '' }
  }
}

const textsIn = (value: Json | undefined): readonly string[] =>
  [value ?? []].flat().flatMap((part) => (part === null ? [] : [String(part)]))

/** Choices are values, or pairs of a value and its label. */
const choicesIn = (choices: Json | undefined): readonly Option[] =>
  Array.isArray(choices)
    ? choices.map((choice: Json): Option => {
        const [value, label = value] = Array.isArray(choice) ? choice : [choice]
        return { value: String(value), label: String(label) }
      })
    : []
