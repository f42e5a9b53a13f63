import { defaultFields } from '../../schema/default-fields.ts'
import type { NestedProjection } from '../../schema/field.ts'
import { oncePer, oncePerText } from '../../schema/once-per.ts'
import type { Model, Registry } from '../../schema/registry.ts'
import type { Service } from '../../service.ts'
import { join, type Sql } from '../../sql/fragment.ts'
import { compilePlan } from './compile.ts'
import { entriesOf, type ProjectionEntry } from './fields.ts'
import { PAGE_FORM, PLAIN_FORM, type PlanForm, type ReadPlan } from './plan.ts'
import { rowVersion } from './row-version.ts'

/** The fields that a request selects. */
export interface FieldSelection {
  /** Only these fields, if they exist; takes precedence over everything else. */
  readonly fields?: readonly string[] | undefined
  /** All but these. */
  readonly omit?: readonly string[] | undefined
  readonly brief: boolean
  /** Computed fields that the user may not see. */
  readonly without?: ReadonlySet<string> | undefined
  /** Leaves out a field that is expensive to compute: `exclude=config_context`. */
  readonly excludeContext: boolean
  /** Default: the form of a page. */
  readonly form?: PlanForm | undefined
}

/** The form in which a response shows objects of a model. Fields that it leaves out are not read either. */
export interface Projection {
  readonly model: Model
  /** Identifies a projection within a process. */
  readonly key: string
  /** Select list over alias `t`: the id first, then the fields, and last the time of the last save. */
  readonly select: Sql
  /** Names in the order of the response. */
  readonly names: readonly string[]
  readonly plan: ReadPlan
}

/** Clients choose selections, so the number of cached ones is limited. */
const CACHED_PROJECTIONS = 1_000

let compiled = 0

/** The projection of a selection, compiled on first use. */
export function projectionOf(service: Service, model: Model, selection: FieldSelection): Projection {
  const { fields, omit, brief, without, excludeContext, form = PAGE_FORM } = selection
  if (fields || omit || without) return projectionOfNames(service, model, selection)
  const key = `${model.name} ${brief} ${excludeContext} ${form.countsSubtrees} ${form.hasAliases} ${form.isPlain}`
  return usualOnce(service.registry, key, () => projectionOfNames(service, model, selection))
}

/** Selections that lead to the same fields share one projection. */
function projectionOfNames(service: Service, model: Model, selection: FieldSelection): Projection {
  const names = selectNames(model, selection)
  const form = effectiveForm(model, names, selection.form ?? PAGE_FORM)
  const key = `${model.name} ${names.join(',')} ${form.countsSubtrees} ${form.hasAliases} ${form.isPlain}`
  return compiledOnce(service.registry, key, () => compileProjection(service, model, entriesOf(names), form))
}

/** Selections without field names, as in most requests. */
const usualOnce = oncePerText(CACHED_PROJECTIONS, (_registry: Registry, _key, find: () => Projection) => find())

const compiledOnce = oncePerText(CACHED_PROJECTIONS, (_registry: Registry, _key, compile: () => Projection) =>
  compile(),
)

/** The form without differences that do not affect these fields, so that equal forms share one projection. */
function effectiveForm(
  { fields }: Model,
  names: readonly string[],
  { countsSubtrees, hasAliases, isPlain = false }: PlanForm,
): PlanForm {
  const kinds = names.map((name) => fields.get(name))
  return {
    countsSubtrees:
      countsSubtrees || !kinds.some((field) => field?.kind === 'relatedCount' && field.cumulative === true),
    hasAliases:
      hasAliases || !kinds.some((field) => field?.kind === 'genericForeignKey' && field.projections !== undefined),
    isPlain: isPlain && kinds.some((field) => field?.kind === 'customFields'),
  }
}

function compileProjection(
  service: Service,
  model: Model,
  entries: readonly ProjectionEntry[],
  form: PlanForm,
): Projection {
  const plan = compilePlan(service, model, entries, form)
  const select = join([...plan.columns, rowVersion(model)])
  const names = entries.map(({ name }) => name)
  return { model, key: String(compiled++), select, names, plan }
}

/** What a page reads of an object. */
export interface PageSelection {
  /** Fields as responses have them. */
  readonly fields?: readonly string[]
  /**
   * Values to read in addition, each under its path. A path over relations to one object (`site.region`) leads to the
   * nested objects on the way, with nothing but their ids: `{"site.region": {"id": 1, "region": …}}`. A relation that a
   * response contains only as an id is an object with its name.
   */
  readonly paths?: readonly string[]
  /** Leaves out a field that is expensive to compute. */
  readonly excludeContext: boolean
  /** Computed fields that the user may not see. */
  readonly without?: ReadonlySet<string> | undefined
}

/** The projection of what a page reads, without unknown fields. */
export function projectionOfPage(
  service: Service,
  model: Model,
  { fields: wantedFields = [], paths: wantedPaths = [], excludeContext, without }: PageSelection,
): Projection {
  const visible = (names: readonly string[]) => (without ? names.filter((name) => !without.has(name)) : names)
  const [fields, paths] = [visible(wantedFields), visible(wantedPaths)]
  if (paths.length === 0) {
    return projectionOf(service, model, { fields, brief: false, excludeContext, form: PLAIN_FORM })
  }
  const key = `${model.name} page ${fields.join(',')} ${paths.join(',')} ${excludeContext}`
  return compiledOnce(service.registry, key, () => {
    const excluded = excludeContext ? excludableNames(model) : new Set()
    const entries = new Map(entriesOf(fields).map((entry) => [entry.name, entry]))
    for (const path of paths) {
      const [entry] = entriesOf(nestedAt(service.registry, model, path.split('.')))
      if (entry && !excluded.has(path)) entries.set(path, { ...entry, key: path })
    }
    return compileProjection(service, model, [...entries.values()], PLAIN_FORM)
  })
}

/** A projection of nothing but the value at the path; empty if there is none. */
function nestedAt(registry: Registry, model: Model, [name = '', ...remaining]: readonly string[]): NestedProjection {
  const field = model.fields.get(name)
  const relation = field?.kind === 'foreignKey' ? field : undefined
  if (remaining.length > 0) {
    return relation ? [[name, ['id', ...nestedAt(registry, registry.model(relation.to), remaining)]]] : []
  }
  if (!model.answer.includes(name)) return []
  return [relation?.bare ? [name, NAMED] : name]
}

/** A related object with its name. */
const NAMED: NestedProjection = ['id', 'url', 'display']

/** Precedence as in NetBox: fields, omit, brief. Unknown names are ignored. */
export function selectNames(model: Model, selection: FieldSelection): readonly string[] {
  const { fields, omit, brief, without, excludeContext } = selection
  const selectable = fields ? model.answer : defaultFields(model)
  const offered = without ? selectable.filter((name) => !without.has(name)) : selectable
  const excluded = excludableNames(model)
  const all = excludeContext && excluded.size > 0 ? offered.filter((name) => !excluded.has(name)) : offered
  if (fields) {
    const selected = new Set(fields)
    return all.filter((name) => selected.has(name))
  }
  if (brief && !omit) return model.definition.brief
  return omit ? all.filter((name) => !omit.includes(name)) : all
}

const excludableNames = oncePer(({ fields }: Model): ReadonlySet<string> => {
  const fieldsByName = [...fields].filter(([, field]) => field.kind === 'computed' && field.excludable === true)
  return new Set(fieldsByName.map(([name]) => name))
})
