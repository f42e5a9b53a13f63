import type { ApiRequest } from '../../api/api-request.ts'
import { genericKeys, namesInBody } from '../../schema/generic-keys.ts'
import type { JsonObject } from '../../schema/json.ts'
import type { Model, Registry } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import type { Control } from '../components/control.ts'
import { fieldLabel } from '../components/field-label.ts'
import { sentenceCase, translate, translateLabel } from '../texts/translate.ts'
import { defaultControl } from './fields/custom-field-controls.ts'
import { formControls } from './fields/form-controls.ts'
import { type FormTexts, shownTexts, withTexts } from './form-texts.ts'
import { messageControl } from './message-control.ts'
import { objectListControls, ownerControl } from './object-list-controls.ts'
import type { Narrowing } from './pickers.ts'

/** Controls of a form that belong together. */
export interface ControlGroup {
  readonly label: string
  readonly controls: readonly Control[]
}

/**
 * The controls of a model's form in the groups of its view, with the values of the object, or the defaults. `texts`,
 * which were entered, determine which controls are hidden.
 */
export async function editGroups(
  request: ApiRequest,
  model: Model,
  object: JsonObject | undefined,
  texts: FormTexts = new Map(),
): Promise<readonly ControlGroup[]> {
  const { service } = request
  const { registry } = service
  const { form = [], objectLists = {}, shownWith = {} } = registry.view(model)
  const controls = await formControls(service, model, object)
  const byName = new Map(controls.map((control) => [control.name, control]))
  const textOf = (name: string): string => {
    const control = byName.get(name)
    return (texts.get(name) ?? (control ? shownTexts(control) : [])).at(-1) ?? ''
  }
  const ownDefault = model.name === SYSTEM.customField ? byName.get('default') : undefined
  if (ownDefault) byName.set('default', await defaultControl(request, ownDefault, object?.default, textOf))
  const controlsOf = (name: string): readonly Control[] => {
    const list = objectLists[name]
    if (list) return objectListControls(registry, name, list, object?.[name])
    return namesInBody(model, name).flatMap((each) => {
      const control = byName.get(each)
      if (!control) return []
      const whole = described(registry, model, control, object)
      const condition = shownWith[each]
      if (!condition) return whole
      return { ...whole, isHidden: !condition.values.includes(textOf(condition.field)), dependsOn: [condition.field] }
    })
  }
  const groups = form.map(({ label, fields }) => ({
    label: sentenceCase(label),
    controls: fields.flatMap(controlsOf),
  }))
  return [...groups, ...customGroups(controls), ...changeNote(request, model)].filter(
    (group) => group.controls.length > 0,
  )
}

/** The control with the label that people know, and what a form adds to a field. */
function described(registry: Registry, model: Model, control: Control, object: JsonObject | undefined): Control {
  const { name, input } = control
  const field = model.fields.get(name)
  const label = controlLabel(registry, model, name)
  if (input.kind === 'file') {
    const stored = String(object?.[name] ?? '')
    const mayClear = field !== undefined && 'blank' in field && field.blank === true
    const shown = stored.slice(stored.lastIndexOf('/') + 1)
    return { ...control, label, input: { ...input, stored: shown, mayClear } }
  }
  const isMarkdown = name === 'comments' && input.kind === 'lines'
  const source = model.fields.has('name') ? 'name' : model.fields.has('model') ? 'model' : undefined
  const isSlug = name === 'slug' && source !== undefined
  const { formHelp, folded = [] } = registry.view(model)
  const help = formHelp?.[name]
  return {
    ...control,
    label,
    isRare: folded.includes(name),
    ...(help !== undefined && { help: translateLabel(help) }),
    ...(isMarkdown && {
      help: 'Markdown',
      input: { ...input, rows: 6 },
      preview: { label: translate('Preview') },
    }),
    ...(field?.kind === 'text' && field.format === 'color' && { isColor: true }),
    ...(isConstraint(model, name) && { preview: { label: translate('Show matching objects') } }),
    ...(isSlug && { madeFrom: source, help: translate('Filled in from the name.') }),
  }
}

/** Whether the field determines the objects to which a permission applies. */
export const isConstraint = (model: Model, name: string): boolean =>
  model.name === SYSTEM.objectPermission && name === 'constraints'

/** Label of a control in the model's forms; a generic relation has one for its type and one for its object. */
export function controlLabel(registry: Registry, model: Model, name: string): string {
  for (const [relation, field] of model.fields) {
    if (field.kind !== 'genericForeignKey') continue
    const { type, id } = genericKeys(relation, field)
    if (name === type) return translate('{field} type', { field: labelInForms(registry, model, relation) })
    if (name === id) return labelInForms(registry, model, relation)
  }
  return labelInForms(registry, model, name)
}

function labelInForms(registry: Registry, model: Model, name: string): string {
  const label = registry.view(model).formLabels?.[name]
  return label === undefined ? fieldLabel(registry, model, name) : sentenceCase(label)
}

/** Custom fields by the groups of their definitions. */
function customGroups(controls: readonly Control[]): readonly ControlGroup[] {
  const custom = controls.filter(({ name }) => name.startsWith('custom_fields.'))
  return [...Map.groupBy(custom, ({ group }) => group || translate('Custom fields'))].map(([label, controls]) => ({
    label,
    controls,
  }))
}

/** A note for the change log. */
const changeNote = (request: ApiRequest, model: Model): readonly ControlGroup[] =>
  model.has('changeLogging')
    ? [
        {
          label: '',
          controls: [
            messageControl(request, model, {
              help: translate('Reason for the change (shown in the changelog)'),
            }),
          ],
        },
      ]
    : []

/** The groups with the given texts in place of the controls' own. With `isWhole`, a control without texts is empty. */
export const filledGroups = (
  groups: readonly ControlGroup[],
  texts: FormTexts,
  isWhole: boolean,
): readonly ControlGroup[] =>
  groups.map(({ label, controls }) => ({
    label,
    controls: controls.map((control) => {
      const own = texts.get(control.name) ?? texts.get(shortName(control.name))
      return own || isWhole ? withTexts(control, own ?? []) : control
    }),
  }))

/** Name of a custom field in a query: `cf_owner`. */
const shortName = (name: string): string => name.replace(/^custom_fields\./, 'cf_')

/** Which controls narrow the choices of other controls, by the view of the model. */
export function narrowingOf(registry: Registry, model: Model): Readonly<Record<string, Narrowing>> {
  const { narrowedBy = {}, objectLists = {} } = registry.view(model)
  const declared = Object.entries(narrowedBy).map(([name, narrowing]) => [
    idName(model, name),
    Object.fromEntries(Object.entries(narrowing).map(([parameter, source]) => [parameter, idName(model, source)])),
  ])
  const lists = Object.entries(objectLists).map(([name, { within }]) => [
    name,
    { [within.by]: ownerControl(name, registry.model(within.model)) },
  ])
  return Object.fromEntries([...declared, ...lists]) as Readonly<Record<string, Narrowing>>
}

function idName(model: Model, name: string): string {
  const field = model.fields.get(name)
  return field?.kind === 'genericForeignKey' ? genericKeys(name, field).id : name
}
