import type { Control } from '../../pages/control.ts'
import { genericKeys } from '../../schema/generic-keys.ts'
import type { JsonObject } from '../../schema/json.ts'
import type { Model } from '../../schema/registry.ts'
import type { ApiRequest } from '../api-request.ts'
import { formControls } from '../browse/form-controls.ts'
import type { FormValues } from '../transport/body.ts'
import type { ControlGroup } from './edit-page.ts'

/** The controls of a model's form in the groups of its view, with the values of `given`. */
export async function editGroups(
  request: ApiRequest,
  model: Model,
  object: JsonObject | undefined,
  given: JsonObject,
): Promise<readonly ControlGroup[]> {
  const { service } = request
  const { form = [] } = service.registry.view(model)
  const current = object ?? (Object.keys(given).length > 0 ? given : undefined)
  const controls = await formControls(service, model, current)
  const byName = new Map(controls.map((control) => [control.name, control]))
  const groups = form.map(({ label, fields }) => ({
    label,
    controls: fields.flatMap((name) =>
      namesOf(model, name).flatMap((each) => byName.get(each) ?? []),
    ),
  }))
  const custom = controls.filter(({ name }) => name.startsWith('custom_fields.'))
  return [...groups, { label: 'Custom fields', controls: custom }].filter(
    (group) => group.controls.length > 0,
  )
}

/** Names in a body: a generic relation has two, its type and its id. */
function namesOf(model: Model, name: string): readonly string[] {
  const field = model.fields.get(name)
  if (field?.kind !== 'genericForeignKey') return [name]
  const { type, id } = genericKeys(name, field)
  return [type, id]
}

/** The controls with the values that were entered, for a form that has to be corrected. */
export async function enteredControls(
  _request: ApiRequest,
  _model: Model,
  groups: readonly ControlGroup[],
  form: FormValues,
): Promise<readonly ControlGroup[]> {
  return groups.map(({ label, controls }) => ({
    label,
    controls: controls.map((control) => withValues(control, textsOf(form, control.name))),
  }))
}

const textsOf = (form: FormValues, name: string): readonly string[] =>
  (form.get(name) ?? []).filter((each) => typeof each === 'string')

function withValues(control: Control, texts: readonly string[]): Control {
  const { input } = control
  switch (input.kind) {
    case 'text':
    case 'lines':
      return { ...control, input: { ...input, value: texts.at(-1) ?? '' } }
    case 'checkbox':
      return { ...control, input: { ...input, isChecked: texts.includes('true') } }
    case 'select':
    case 'choices':
      return { ...control, input: { ...input, chosen: texts } }
    case 'objects':
      return {
        ...control,
        input: { ...input, chosen: texts.filter(Boolean).map((value) => ({ value })) },
      }
    case 'file':
      return control
  }
}
