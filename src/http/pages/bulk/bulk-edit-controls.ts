import type { Control, InputControl } from '../../../pages/control.ts'
import type { BulkControl, BulkGroup } from '../../../pages/lists/bulk-form.ts'
import { namesInBody } from '../../../schema/generic-keys.ts'
import type { Json, JsonObject } from '../../../schema/json.ts'
import type { Model } from '../../../schema/registry.ts'
import { SYSTEM } from '../../../schema/system-models.ts'
import { isRequired } from '../../../schema/writable.ts'
import type { ApiRequest } from '../../api-request.ts'
import { formControls } from '../../browse/form-controls.ts'
import { fieldLabel } from '../field-label.ts'

const UNCHANGED = 'No change'
const YES_OR_NO = [
  { value: 'true', label: 'Yes' },
  { value: 'false', label: 'No' },
]

/** A group of the form; each field has the value that empties it. */
export interface EditGroup extends BulkGroup {
  readonly controls: readonly EditControl[]
}

export interface EditControl extends BulkControl {
  /** The value that empties the field; undefined for fields that must have one. */
  readonly empty: Json | undefined
}

/** The fields of the model that can be changed for many objects at once, all without a value. */
export async function bulkEditGroups(
  { service }: ApiRequest,
  model: Model,
): Promise<readonly EditGroup[]> {
  const { registry } = service
  const blank: JsonObject = Object.fromEntries(model.answer.map((name) => [name, null]))
  const controls = await formControls(service, model, { ...blank, custom_fields: {} })
  const byName = new Map(controls.map((control) => [control.name, control]))
  const controlAt = (name: string): readonly EditControl[] => {
    const control = byName.get(name)
    const untouched = control && untouchedControl(control)
    if (!untouched) return []
    const label = model.fields.has(name) ? fieldLabel(registry, model, name) : untouched.label
    const empty = name.startsWith('custom_fields.') ? customEmpty(control) : emptyValue(model, name)
    return [
      {
        control: { ...untouched, label },
        canEmpty: empty !== undefined,
        isEmptied: false,
        empty,
      },
    ]
  }
  const declared = (registry.view(model).bulkEdit ?? []).map(({ label, fields }) => ({
    label,
    controls: fields.flatMap((name) => namesInBody(model, name).flatMap(controlAt)),
  }))
  const custom = controls.filter(({ name }) => name.startsWith('custom_fields.'))
  return [
    ...declared,
    {
      label: 'Tags',
      controls: model.fields.has('tags') ? tagControls(registry.model(SYSTEM.tag)) : [],
    },
    { label: 'Custom Fields', controls: custom.flatMap(({ name }) => controlAt(name)) },
    { label: 'Change Log', controls: model.has('changeLogging') ? [MESSAGE] : [] },
  ].filter(({ controls: own }) => own.length > 0)
}

/** The control without a value, which leaves the objects as they are; undefined for controls that have no such state. */
function untouchedControl(control: Control): Control | undefined {
  const input = untouchedInput(control.input)
  return input && { ...control, isRequired: false, input }
}

function untouchedInput(input: InputControl): InputControl | undefined {
  switch (input.kind) {
    case 'checkbox':
      return { kind: 'select', options: YES_OR_NO, chosen: [], empty: UNCHANGED }
    case 'select':
    case 'choices':
      return { ...input, chosen: [], empty: UNCHANGED }
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
  if (field.kind === 'manyToMany' || field.kind === 'list')
    return isRequired(field) ? undefined : []
  return undefined
}

const customEmpty = ({ isRequired: mustHaveValue }: Control): Json | undefined =>
  mustHaveValue ? undefined : null

/** Tags are added to and removed from those that each object has. */
const tagControls = ({ path }: Model): readonly EditControl[] =>
  (
    [
      ['add_tags', 'Add tags'],
      ['remove_tags', 'Remove tags'],
    ] as const
  ).map(([name, label]) => ({
    control: {
      name,
      label,
      input: {
        kind: 'objects',
        collection: `/api/${path}/`,
        key: 'id',
        isMultiple: true,
        chosen: [],
      },
      sentAs: 'ids',
    },
    canEmpty: false,
    isEmptied: false,
    empty: undefined,
  }))

const MESSAGE: EditControl = {
  control: {
    name: 'changelog_message',
    label: 'Changelog message',
    help: 'Why this is changed, for the change log.',
    input: { kind: 'text', type: 'text', value: '', max: 200 },
    sentAs: 'text',
  },
  canEmpty: false,
  isEmptied: false,
  empty: undefined,
}
