import type { ApiRequest } from '../../api/api-request.ts'
import { providersOf } from '../../config/auth-providers.ts'
import type { JsonObject } from '../../schema/json.ts'
import type { Model, Registry } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import type { DecidedBy } from '../../schema/view.ts'
import type { Service } from '../../service.ts'
import type { Control } from '../components/control.ts'
import { fieldLabel, unitAt, valueLabel } from '../components/field-label.ts'
import { sentenceCase, translate, translateLabel } from '../texts/translate.ts'
import { actionsControl } from './fields/actions-control.ts'
import { defaultControl } from './fields/custom-field-controls.ts'
import { dateRuleControls } from './fields/date-rule-controls.ts'
import { formControls } from './fields/form-controls.ts'
import { partsOfTypedId, typedId } from './fields/typed-id.ts'
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
  const { form = [], objectLists = {}, shownWith = {}, decidedBy = {} } = registry.view(model)
  const controls = await formControls(service, model, object)
  const byName = new Map(controls.map((control) => [control.name, control]))
  const textsOf = (name: string): readonly string[] => {
    const control = byName.get(name)
    const sent = control ? textsFor(control, texts) : texts.get(name)
    return sent ?? (control ? shownTexts(control) : [])
  }
  const textOf = (name: string): string => textsOf(name).at(-1) ?? ''
  const ownDefault = model.name === SYSTEM.customField ? byName.get('default') : undefined
  const actions = model.name === SYSTEM.objectPermission ? byName.get('actions') : undefined
  if (actions) byName.set('actions', actionsControl(registry, actions))
  if (ownDefault) byName.set('default', await defaultControl(request, ownDefault, object?.default, textOf))
  const provider = model.name === SYSTEM.groupMapping ? byName.get('provider') : undefined
  if (provider) byName.set('provider', providerControl(service, provider))
  const [offset, field] = [byName.get('date_offset'), byName.get('date_field')]
  if (model.name === SYSTEM.eventRule && offset && field) {
    const dates = await dateRuleControls(request, { offset, field }, textsOf)
    byName.set('date_offset', dates.offset).set('date_field', dates.field)
  }
  const controlsOf = (name: string): readonly Control[] => {
    const list = objectLists[name]
    if (list) return objectListControls(registry, name, list, object?.[name])
    const control = byName.get(name)
    if (!control) return []
    const whole = described(registry, model, control, object)
    const decision = decidedBy[name]
    if (decision) return [decided(whole, decision, textOf(decision.relation), texts.get(name)?.[0])]
    const condition = shownWith[name]
    if (!condition) return [whole]
    const isHidden = !textsOf(condition.field).some((text) => condition.values.includes(text))
    return [{ ...whole, isHidden, dependsOn: [...new Set([...(whole.dependsOn ?? []), condition.field])] }]
  }
  const groups = form.map(({ label, fields }) => ({
    label: sentenceCase(label),
    controls: fields.flatMap(controlsOf),
  }))
  return [...groups, ...customGroups(controls), ...changeNote(request, model)].filter(
    (group) => group.controls.length > 0,
  )
}

/** The control with the values that fit the type of the chosen object; hidden if there is no choice between several. */
function decided(
  control: Control,
  { relation, values }: DecidedBy,
  object: string,
  entered: string | undefined,
): Control {
  const { input } = control
  if (input.kind !== 'select') return control
  const fitting = values[partsOfTypedId(object)?.type ?? ''] ?? []
  const current = entered ?? input.chosen[0] ?? ''
  const value = fitting.includes(current) ? current : (fitting[0] ?? current)
  const options = input.options.filter((option) => option.value === value || fitting.includes(option.value))
  return {
    ...control,
    input: { ...input, options, chosen: [value] },
    dependsOn: [relation],
    isHidden: fitting.length < 2,
    isDecided: true,
  }
}

/** The control with the label that people know, and what a form adds to a field. */
function described(registry: Registry, model: Model, control: Control, object: JsonObject | undefined): Control {
  const { name, input } = control
  const field = model.fields.get(name)
  const label = controlLabel(registry, model, name)
  if (input.kind === 'file') {
    const stored = String(object?.[name] ?? '')
    const mayClear = field !== undefined && 'blank' in field && field.blank === true
    const fileName = stored.slice(stored.lastIndexOf('/') + 1)
    return { ...control, label, input: { ...input, stored: fileName, mayClear } }
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
    ...(model.name === SYSTEM.eventRule &&
      name === 'conditions' &&
      input.kind === 'lines' && {
        help: translate('Fields of the object as the API returns it, such as name, status.value or tags'),
        input: { kind: 'conditions', value: input.value },
      }),
    ...(field?.kind === 'text' && field.format === 'color' && { isColor: true }),
    ...(model.name === SYSTEM.computedField && name === 'expression' && { isExpression: true }),
    ...(isConstraint(model, name) && { preview: { label: translate('Show matching objects') } }),
    ...(isSlug && { madeFrom: source, help: translate('Filled in from the name.') }),
  }
}

/** The control for the login provider of a mapping: those of the configuration, and the stored one. */
function providerControl({ settings }: Service, control: Control): Control {
  const chosen = shownTexts(control).filter((name) => name !== '')
  const names = new Set([...providersOf(settings).map(({ name }) => name), ...chosen])
  if (names.size === 0) return control
  const options = [...names].map((name) => ({ value: name, label: name }))
  return { ...control, input: { kind: 'select', options, chosen, ...(chosen.length === 0 && { empty: '' }) } }
}

/** Whether the field determines the objects to which a permission applies. */
export const isConstraint = (model: Model, name: string): boolean =>
  model.name === SYSTEM.objectPermission && name === 'constraints'

/** Label of a control in the model's forms. */
export function controlLabel(registry: Registry, model: Model, name: string): string {
  const declared = registry.view(model).formLabels?.[name]
  const label = declared === undefined ? fieldLabel(registry, model, name) : sentenceCase(declared)
  const unit = unitAt(registry, model, name)
  // The choice of a unit is a field of its own, and speeds are entered with theirs.
  if (unit === undefined || model.fields.has(unit)) return label
  if (unit === 'kbps') return valueLabel(registry, model, name, label)
  return label.endsWith(')') ? label : `${label} (${unit})`
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
      const entered = textsFor(control, texts)
      return entered || isWhole ? withTexts(control, entered ?? []) : control
    }),
  }))

/** The texts of a control; an object of any type may be given by two: its type and its id. */
function textsFor({ name, keys }: Control, texts: FormTexts): readonly string[] | undefined {
  const entered = texts.get(name) ?? texts.get(shortName(name))
  const [type, id] = [keys && texts.get(keys.type)?.[0], keys && texts.get(keys.id)?.[0]]
  return entered === undefined && type && id ? [typedId(type, id)] : entered
}

/** Name of a custom field in a query: `cf_owner`. */
const shortName = (name: string): string => name.replace(/^custom_fields\./, 'cf_')

/** Which controls narrow the choices of other controls, by the view of the model. */
export function narrowingOf(registry: Registry, model: Model): Readonly<Record<string, Narrowing>> {
  const { narrowedBy = {}, objectLists = {} } = registry.view(model)
  const lists = Object.entries(objectLists).map(
    ([name, { within }]) => [name, { [within.by]: ownerControl(name, registry.model(within.model)) }] as const,
  )
  return { ...narrowedBy, ...Object.fromEntries(lists) }
}
