import type { ApiRequest } from '../../api/api-request.ts'
import type { Json, JsonObject } from '../../schema/json.ts'
import type { Model } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { isRequired } from '../../schema/writable.ts'
import type { Control, InputControl } from '../components/control.ts'
import { controlLabel } from '../forms/edit-controls.ts'
import { formControls } from '../forms/fields/form-controls.ts'
import { yesOrNoOptions } from '../forms/fields/form-entry.ts'
import { messageControl } from '../forms/message-control.ts'
import { translate, translateLabel } from '../texts/translate.ts'
import { lengthControl, memberControls } from './value-changes.ts'

const unchanged = (): string => translate('No change')

/** A group of the form; each field has the value that empties it. */
export interface EditGroup {
  readonly label: string
  readonly controls: readonly EditControl[]
}

interface EditControl {
  readonly control: Control
  /** The value that empties the field; undefined for fields that must have one. */
  readonly empty: Json | undefined
}

/** The fields of the model that can be changed for many objects at once, all without a value. */
export async function bulkEditGroups(request: ApiRequest, model: Model): Promise<readonly EditGroup[]> {
  const { service } = request
  const { registry } = service
  const blank: JsonObject = Object.fromEntries(model.answer.map((name) => [name, null]))
  const controls = await formControls(service, model, { ...blank, custom_fields: {} })
  const byName = new Map(controls.map((control) => [control.name, control]))
  const controlAt = (name: string): readonly EditControl[] => {
    const control = byName.get(name)
    const untouched = control && untouchedControl(control)
    if (!untouched) return []
    const isCustom = name.startsWith('custom_fields.')
    const label = isCustom ? untouched.label : controlLabel(registry, model, name)
    const empty = isCustom ? customEmpty(control) : emptyValue(model, name)
    const labelled = { ...untouched, label }
    const members = model.fields.get(name)?.kind === 'manyToMany' ? memberControls(labelled) : []
    return [{ control: labelled, empty }, ...members.map(neverEmpty)]
  }
  const { bulkEdit = [], networkLengths = {} } = registry.view(model)
  const controlsOf = (name: string): readonly EditControl[] =>
    Object.hasOwn(networkLengths, name) ? [neverEmpty(lengthControl(name))] : controlAt(name)
  const declared = bulkEdit.map(({ label, fields }) => ({
    // The names of rarely used fields say more than such a heading.
    label: label === 'More' ? '' : translateLabel(label),
    controls: fields.flatMap(controlsOf),
  }))
  const custom = controls.filter(({ name }) => name.startsWith('custom_fields.'))
  return [
    ...declared,
    {
      label: translate('Tags'),
      controls: model.fields.has('tags') ? tagControls(registry.model(SYSTEM.tag)) : [],
    },
    { label: translate('Custom fields'), controls: custom.flatMap(({ name }) => controlAt(name)) },
    {
      label: '',
      controls: model.has('changeLogging') ? [message(request, model)] : [],
    },
  ].filter(({ controls: fields }) => fields.length > 0)
}

/** A control that has no empty value. */
const neverEmpty = (control: Control): EditControl => ({ control, empty: undefined })

/** The control without a value, which leaves the objects unchanged; undefined for controls without such a state. */
function untouchedControl(control: Control): Control | undefined {
  const input = untouchedInput(control.input)
  return input && { ...control, isRequired: false, input }
}

function untouchedInput(input: InputControl): InputControl | undefined {
  switch (input.kind) {
    case 'checkbox':
      return { kind: 'select', options: yesOrNoOptions(), chosen: [], empty: unchanged() }
    case 'select':
    case 'choices':
      return { ...input, chosen: [], empty: unchanged() }
    case 'checks':
      return { ...input, chosen: [] }
    case 'text':
      return input.type === 'password' ? undefined : input
    case 'file':
      return undefined
    default:
      return input
  }
}

/** The value that empties a field; undefined for fields that must have one. */
function emptyValue(model: Model, name: string): Json | undefined {
  const field = model.fields.get(name)
  if (!field) return undefined
  if ('nullable' in field && field.nullable === true) return null
  if (field.kind === 'text') return isRequired(field) ? undefined : ''
  if (field.kind === 'manyToMany' || field.kind === 'list') return isRequired(field) ? undefined : []
  return undefined
}

const customEmpty = ({ isRequired: mustHaveValue }: Control): Json | undefined => (mustHaveValue ? undefined : null)

/** Tags are added to, or removed from, those that each object has. */
const tagControls = ({ path }: Model): readonly EditControl[] =>
  (
    [
      ['add_tags', 'Add tags'],
      ['remove_tags', 'Remove tags'],
    ] as const
  ).map(([name, label]) =>
    neverEmpty({
      name,
      label: translate(label),
      input: {
        kind: 'objects',
        collection: `/api/${path}/`,
        key: 'id',
        isMultiple: true,
        chosen: [],
      },
      sentAs: 'ids',
    }),
  )

const message = (request: ApiRequest, model: Model): EditControl =>
  neverEmpty(
    messageControl(request, model, {
      help: translate('Reason for the change (shown in the changelog)'),
    }),
  )
