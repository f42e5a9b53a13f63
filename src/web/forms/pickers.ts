import type { ApiRequest } from '../../api/api-request.ts'
import { ApiError } from '../../base/errors.ts'
import { mayAct } from '../../identity/permitted-rows.ts'
import { lastValue } from '../../read/query/last-value.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import type { Model } from '../../schema/registry.ts'
import type { Control, InputControl } from '../components/control.ts'
import { shownNoun } from '../components/model-title.ts'
import type { ObjectPicker, PickedOption } from '../components/object-picker.ts'
import { offersMethod } from '../components/offered-methods.ts'
import { visibleIds } from '../data/page-objects.ts'
import { translate } from '../texts/translate.ts'
import { allChoices, choicesOf, findChoices, type ObjectChoice } from './find-choices.ts'
import { shownTexts } from './form-texts.ts'

/** Maximum number of objects in a list; for more, the form offers a search. */
const MOST_LISTED = 60
const MOST_FOUND = 20

/** Filters of choices by the values of other controls: parameter → name of the control. */
export type Narrowing = Readonly<Record<string, string>>

/** Values that determine the choices of a form. */
interface PickerOptions {
  readonly narrowedBy: Readonly<Record<string, Narrowing>>
  /** Words to search for, by name of the control. */
  readonly words?: ReadonlyMap<string, string>
  /** Choices that no longer fit the values that narrow them are dropped. */
  readonly dropsUnfit?: boolean
  /** Id of the edited object, by which its own components are selected: the `id` of a narrowing. */
  readonly id?: number | undefined
}

type ObjectsInput = Extract<InputControl, { kind: 'objects' }>

/** The controls, with lists or searches in place of plain keys of objects. */
export async function withPickers(
  request: ApiRequest,
  controls: readonly Control[],
  options: PickerOptions,
): Promise<readonly Control[]> {
  const textsOf = (name: string): readonly string[] => {
    if (name === 'id') return options.id === undefined ? [] : [String(options.id)]
    const control = controls.find((control) => control.name === name)
    return control ? shownTexts(control).filter(Boolean) : []
  }
  return await Promise.all(
    controls.map(async (control) => {
      const { input } = control
      if (input.kind !== 'objects') return control
      const narrowedBy = options.narrowedBy[control.name] ?? {}
      const byControls = Object.values(narrowedBy).filter((name) => name !== 'id')
      const sources = [...byControls, ...(input.typedBy ? [input.typedBy] : [])]
      const target = targetOf(request, input, textsOf)
      const wanted = {
        filters: filtersOf(narrowedBy, textsOf),
        narrowedBy,
        words: options.words?.get(control.name)?.trim() ?? '',
        dropsUnfit: options.dropsUnfit === true,
      }
      return {
        ...control,
        ...(sources.length > 0 && { dependsOn: sources }),
        input: target ? await pickerOf(request, target, input, wanted) : openPicker(input),
      }
    }),
  )
}

function filtersOf(narrowing: Narrowing, textsOf: (name: string) => readonly string[]): URLSearchParams {
  const filters = new URLSearchParams()
  for (const [parameter, name] of Object.entries(narrowing)) {
    if (!isOfType(parameter, textsOf(name.replace(/_id$/, '_type'))[0])) continue
    for (const value of textsOf(name)) filters.append(parameter, value)
  }
  return filters
}

/** Whether the parameter accepts the id of this generic relation: `available_at_site` accepts those of sites. */
const isOfType = (parameter: string, type: string | undefined): boolean =>
  type === undefined || !type.includes('.') || parameter.endsWith(`_${type.split('.')[1]}`)

function targetOf(
  { service }: ApiRequest,
  { collection, typedBy }: ObjectsInput,
  textsOf: (name: string) => readonly string[],
): Model | undefined {
  const { models } = service.registry
  if (typedBy !== undefined) return models.get(textsOf(typedBy)[0] ?? '')
  return [...models.values()].find(({ path }) => path !== '' && `/api/${path}/` === collection)
}

const openPicker = ({ isMultiple, key, chosen }: ObjectsInput): ObjectPicker => ({
  kind: 'picker',
  choices: undefined,
  key: key === 'slug' ? 'slug' : 'id',
  isMultiple,
  chosen: chosen.map(({ value }) => value),
  options: chosen.map(({ value, label }) => ({ value, label: label ?? value, context: '' })),
  isComplete: true,
  noun: translate('object'),
})

interface Wanted {
  readonly filters: URLSearchParams
  readonly narrowedBy: Narrowing
  readonly words: string
  readonly dropsUnfit: boolean
}

async function pickerOf(
  request: ApiRequest,
  target: Model,
  input: ObjectsInput,
  wanted: Wanted,
): Promise<InputControl> {
  const { filters, words } = wanted
  const key = input.key === 'slug' ? 'slug' : 'id'
  const all = await tolerant(filters, (usable) => allChoices(request, target, usable, MOST_LISTED))
  const isComplete = all !== undefined
  const found =
    words === '' || isComplete
      ? undefined
      : await tolerant(filters, (usable) => findChoices(request, target, { words, filters: usable, limit: MOST_FOUND }))
  const offered = (found ?? all ?? []).map((each) => optionOf(each, key))
  const chosen = await chosenOptions(request, target, input, { ...wanted, offered, isComplete })
  const only = found?.length === 1 && !input.isMultiple ? offered[0] : undefined
  const values = only ? [only.value] : chosen.map(({ value }) => value)
  const known = new Set(offered.map(({ value }) => value))
  const options = [...chosen.filter(({ value }) => !known.has(value)), ...offered]
  if (isComplete && input.isMultiple && !input.typedBy) {
    return { kind: 'choices', options: options.map(plainOption), chosen: values, empty: '—' }
  }
  return {
    kind: 'picker',
    choices: choicesAddress(request, target, filters),
    key,
    isMultiple: input.isMultiple,
    chosen: values,
    options,
    isComplete,
    ...(found && { found: { words, count: found.length } }),
    addPage: addPageOf(request, target, wanted),
    noun: shownNoun(target),
  }
}

const plainOption = ({ value, label, context }: PickedOption) => ({
  value,
  label: context === '' ? label : `${label} · ${context}`,
})

const optionOf = ({ id, slug, display, context }: ObjectChoice, key: 'id' | 'slug'): PickedOption => ({
  value: key === 'slug' ? (slug ?? '') : String(id),
  label: display,
  context,
})

/** The result of `find`; if values of other fields do not filter, they do not narrow the choice. */
async function tolerant<T>(filters: URLSearchParams, find: (filters: URLSearchParams) => Promise<T>): Promise<T> {
  try {
    return await find(filters)
  } catch (error) {
    if (!(error instanceof ApiError) || error.reason.kind !== 'invalid') throw error
    return await find(new URLSearchParams())
  }
}

/** The chosen objects, including those that are not among the options. */
async function chosenOptions(
  request: ApiRequest,
  target: Model,
  { chosen, key }: ObjectsInput,
  {
    offered,
    isComplete,
    dropsUnfit,
    filters,
  }: Wanted & {
    readonly offered: readonly PickedOption[]
    readonly isComplete: boolean
  },
): Promise<readonly PickedOption[]> {
  const known = new Map(offered.map((option) => [option.value, option]))
  const missing = chosen.filter(({ value }) => !known.has(value))
  const isNarrowed = dropsUnfit && filters.size > 0
  const more =
    missing.length === 0 || (isNarrowed && isComplete)
      ? []
      : await namedOptions(request, target, key === 'slug' ? 'slug' : 'id', missing, isNarrowed ? filters : undefined)
  for (const option of more) known.set(option.value, option)
  return chosen.flatMap(({ value, label }) => {
    const option = known.get(value)
    if (option) return option
    return isNarrowed || value === '' ? [] : { value, label: label ?? value, context: '' }
  })
}

async function namedOptions(
  request: ApiRequest,
  target: Model,
  key: 'id' | 'slug',
  missing: readonly { readonly value: string }[],
  filters: URLSearchParams | undefined,
): Promise<readonly PickedOption[]> {
  const values = missing.map(({ value }) => value)
  if (key === 'slug' || filters) {
    const named = new URLSearchParams(filters)
    for (const value of values) named.append(key, value)
    const limit = values.length
    const found = await tolerant(named, (usable) => findChoices(request, target, { filters: usable, limit }))
    return found.map((each) => optionOf(each, key))
  }
  const ids = values.map(Number).filter((id) => Number.isSafeInteger(id) && id > 0)
  const visible = await visibleIds(request, target, [...new Set(ids)])
  return (await choicesOf(request, target, visible)).map((each) => optionOf(each, key))
}

function choicesAddress({ service }: ApiRequest, { path }: Model, filters: URLSearchParams): string {
  const query = filters.size === 0 ? '' : `?${filters}`
  return `${service.settings.basePath}/choices/${path}/${query}`
}

/** The form for a new object, with the values that narrow the choice: a rack of the chosen site. */
function addPageOf({ actor, service }: ApiRequest, target: Model, { filters, narrowedBy }: Wanted): string | undefined {
  const page = pagePathOf(target)
  const isOffered = offersMethod(target, 'POST')
  if (!page || !isOffered || !mayAct(actor, 'add', target, service.settings)) return undefined
  const initial = new URLSearchParams()
  for (const parameter of Object.keys(narrowedBy)) {
    const name = parameter.replace(/_id$/, '')
    const value = lastValue(filters, parameter)
    if (value !== undefined && target.fields.has(name)) initial.set(name, value)
  }
  return `${service.settings.basePath}${page}add/${initial.size === 0 ? '' : `?${initial}`}`
}
