import type { ApiRequest } from '../../api/api-request.ts'
import { mayAct } from '../../identity/permitted-rows.ts'
import { lastValue } from '../../read/query/last-value.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import type { Model } from '../../schema/registry.ts'
import type { Control, GenericRelation, InputControl } from '../components/control.ts'
import { shownNoun } from '../components/model-title.ts'
import type { ObjectPicker, PickedOption } from '../components/object-picker.ts'
import { offersMethod } from '../components/offered-methods.ts'
import { namingField } from '../components/shown-name.ts'
import { visibleIds } from '../data/page-objects.ts'
import { translate } from '../texts/translate.ts'
import { partsOfTypedId, typesOfRelation } from './fields/typed-id.ts'
import {
  allChoices,
  choicesOf,
  findChoices,
  findTypedChoices,
  type ObjectChoice,
  type TypedChoice,
  tolerant,
  typedOption,
} from './find-choices.ts'
import { shownTexts } from './form-texts.ts'

/** Maximum number of objects in a list; for more, the form offers a search. */
const MOST_LISTED = 60
const MOST_FOUND = 20

/** Filters of choices by the values of other controls: parameter → name of the control. */
export type Narrowing = Readonly<Record<string, string>>

/** Values that determine the choices of a form. */
interface PickerOptions {
  readonly narrowedBy: Readonly<Record<string, Narrowing>>
  /** Filters of choices that always apply, by name of the control. */
  readonly filters?: ReadonlyMap<string, URLSearchParams>
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
      const query = {
        filters: filtersOf(narrowedBy, textsOf, [
          ...(options.filters?.get(control.name) ?? []),
          ...(input.offered ?? []),
        ]),
        narrowedBy,
        words: options.words?.get(control.name)?.trim() ?? '',
        dropsUnfit: options.dropsUnfit === true,
      }
      return {
        ...control,
        ...(sources.length > 0 && { dependsOn: sources }),
        input: input.relation
          ? await relationPicker(request, input, input.relation, query)
          : target
            ? await withNone(input, (objects) => pickerOf(request, target, objects, query))
            : openPicker(input),
      }
    }),
  )
}

/** The choice among objects, and the one that stands for none. */
async function withNone(
  input: ObjectsInput,
  choose: (objects: ObjectsInput) => Promise<InputControl>,
): Promise<InputControl> {
  const { none, chosen } = input
  if (none === undefined) return await choose(input)
  const picked = await choose({ ...input, chosen: chosen.filter(({ value }) => value !== NONE) })
  const values = chosen.some(({ value }) => value === NONE) ? [NONE] : []
  const option = { value: NONE, label: none, context: '' }
  if (picked.kind === 'picker')
    return { ...picked, options: [option, ...picked.options], chosen: [...values, ...picked.chosen] }
  if (picked.kind === 'choices')
    return { ...picked, options: [option, ...picked.options], chosen: [...values, ...picked.chosen] }
  return picked
}

/** Value of the choice that stands for no object. */
const NONE = 'null'

function filtersOf(
  narrowing: Narrowing,
  textsOf: (name: string) => readonly string[],
  fixed: readonly [string, string][],
): URLSearchParams {
  const filters = new URLSearchParams([...fixed])
  for (const [parameter, name] of Object.entries(narrowing)) {
    for (const value of textsOf(name)) {
      const typed = partsOfTypedId(value)
      if (!typed) filters.append(parameter, value)
      // `available_at_site` accepts the ids of sites only.
      else if (parameter.endsWith(`_${typed.type.split('.')[1]}`)) filters.append(parameter, typed.id)
    }
  }
  return filters
}

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

async function pickerOf(request: ApiRequest, target: Model, input: ObjectsInput, query: Wanted): Promise<InputControl> {
  const { filters, words } = query
  const key = input.key === 'slug' ? 'slug' : 'id'
  const all = await tolerant(filters, (usable) => allChoices(request, target, usable, MOST_LISTED))
  const isComplete = all !== undefined
  const matches =
    words === '' || isComplete
      ? undefined
      : await tolerant(filters, (usable) => findChoices(request, target, { words, filters: usable, limit: MOST_FOUND }))
  const offered = (matches ?? all ?? []).map((choice) => optionOf(choice, key))
  const chosen = await chosenOptions(request, target, input, { ...query, offered, isComplete })
  const only = matches?.length === 1 && !input.isMultiple ? offered[0] : undefined
  const values = only ? [only.value] : chosen.map(({ value }) => value)
  const offeredValues = new Set(offered.map(({ value }) => value))
  const options = [...chosen.filter(({ value }) => !offeredValues.has(value)), ...offered]
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
    ...(matches && { found: { words, count: matches.length } }),
    addPage: addPageOf(request, target, query),
    naming: namingField(target),
    noun: shownNoun(target),
  }
}

/** Maximum number of types of which a list shows all objects; for more, the form offers a search only. */
const MOST_LISTED_TYPES = 8
/** Maximum number of matches of each type. */
const MOST_OF_TYPE = 10

/** The choice among objects of all types of a generic relation, each with its type. */
async function relationPicker(
  request: ApiRequest,
  input: ObjectsInput,
  relation: GenericRelation,
  { filters, words }: Wanted,
): Promise<ObjectPicker> {
  const { registry, settings } = request.service
  const models = typesOfRelation(registry, relation.model, relation.name)
  const all = models.length > MOST_LISTED_TYPES ? undefined : await allOfTypes(request, models, filters)
  const isComplete = all !== undefined
  const matches =
    words === '' || isComplete
      ? undefined
      : await findTypedChoices(request, models, { words, filters, limit: MOST_OF_TYPE })
  const offered = (matches ?? all ?? []).map(typedOption)
  const byValue = new Map(offered.map((option) => [option.value, option]))
  const chosen = await Promise.all(
    input.chosen.map(
      async ({ value, label }) =>
        byValue.get(value) ?? (await typedOptionOf(request, value)) ?? { value, label: label ?? value, context: '' },
    ),
  )
  const only = matches?.length === 1 ? offered[0] : undefined
  const query = new URLSearchParams([['relation', `${relation.model}.${relation.name}`], ...filters])
  return {
    kind: 'picker',
    choices: `${settings.basePath}/choices/?${query}`,
    key: 'value',
    isMultiple: false,
    chosen: only ? [only.value] : chosen.map(({ value }) => value),
    options: [...chosen.filter(({ value }) => !byValue.has(value)), ...offered],
    isComplete,
    ...(matches && { found: { words, count: matches.length } }),
    noun: translate('object'),
  }
}

/** All objects of the models; undefined if there are too many to list. */
async function allOfTypes(
  request: ApiRequest,
  models: readonly Model[],
  filters: URLSearchParams,
): Promise<readonly TypedChoice[] | undefined> {
  const lists = await Promise.all(
    models.map(async (model) => {
      const choices = await tolerant(filters, (usable) => allChoices(request, model, usable, MOST_LISTED))
      return choices?.map((choice) => ({ ...choice, model }))
    }),
  )
  const all = lists.flatMap((list) => list ?? [])
  return lists.includes(undefined) || all.length > MOST_LISTED ? undefined : all
}

/** The object as an option, if the sender may view it. */
async function typedOptionOf(request: ApiRequest, value: string): Promise<PickedOption | undefined> {
  const parts = partsOfTypedId(value)
  const model = request.service.registry.models.get(parts?.type ?? '')
  if (!parts || !model) return undefined
  const visible = await visibleIds(request, model, [Number(parts.id)])
  const [choice] = await choicesOf(request, model, visible)
  return choice && typedOption({ ...choice, model })
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
  const byValue = new Map(offered.map((option) => [option.value, option]))
  const missing = chosen.filter(({ value }) => !byValue.has(value))
  const isNarrowed = dropsUnfit && filters.size > 0
  const more =
    missing.length === 0 || (isNarrowed && isComplete)
      ? []
      : await namedOptions(request, target, key === 'slug' ? 'slug' : 'id', missing, isNarrowed ? filters : undefined)
  for (const option of more) byValue.set(option.value, option)
  return chosen.flatMap(({ value, label }) => {
    const option = byValue.get(value)
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
    const query = new URLSearchParams(filters)
    for (const value of values) query.append(key, value)
    const limit = values.length
    const choices = await tolerant(query, (usable) => findChoices(request, target, { filters: usable, limit }))
    return choices.map((choice) => optionOf(choice, key))
  }
  const ids = values.map(Number).filter((id) => Number.isSafeInteger(id) && id > 0)
  const visible = await visibleIds(request, target, [...new Set(ids)])
  return (await choicesOf(request, target, visible)).map((choice) => optionOf(choice, key))
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
