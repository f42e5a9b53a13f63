import { defaultAnswer } from '../../schema/default-answer.ts'
import type { NestedProjection } from '../../schema/field.ts'
import { oncePer, oncePerText } from '../../schema/once-per.ts'
import type { Model, Registry } from '../../schema/registry.ts'
import type { Service } from '../../service.ts'
import { join, type Sql } from '../../sql/fragment.ts'
import { compilePlan } from './compile.ts'
import { PAGE_FORM, type PlanForm, type ReadPlan } from './plan.ts'
import { rowVersion } from './row-version.ts'

/** The fields that a request selects. */
export interface FieldSelection {
  /** Only these fields, if they exist; takes precedence over everything else. */
  readonly fields?: readonly string[] | undefined
  /** All but these. */
  readonly omit?: readonly string[] | undefined
  readonly brief: boolean
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
  const { fields, omit, brief, excludeContext, form = PAGE_FORM } = selection
  if (fields || omit) return projectionOfNames(service, model, selection)
  const key = `${model.name} ${brief} ${excludeContext} ${form.countsSubtrees} ${form.hasAliases} ${form.isPlain}`
  return usualOnce(service.registry, key, () => projectionOfNames(service, model, selection))
}

/** Selections that lead to the same fields share one projection. */
function projectionOfNames(service: Service, model: Model, selection: FieldSelection): Projection {
  const names = selectNames(model, selection)
  const form = effectiveForm(model, names, selection.form ?? PAGE_FORM)
  const key = `${model.name} ${names.join(',')} ${form.countsSubtrees} ${form.hasAliases} ${form.isPlain}`
  return compiledOnce(service.registry, key, () => compileProjection(service, model, names, form))
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
  names: NestedProjection & readonly string[],
  form: PlanForm,
): Projection {
  const plan = compilePlan(service, model, names, form)
  const select = join([...plan.columns, rowVersion(model)])
  return { model, key: String(compiled++), select, names, plan }
}

/** Precedence as in the reference: fields, omit, brief. Unknown names are ignored. */
export function selectNames(model: Model, { fields, omit, brief, excludeContext }: FieldSelection): readonly string[] {
  const offered = fields ? model.answer : defaultAnswer(model)
  const excluded = excludableNames(model)
  const all = excludeContext && excluded.size > 0 ? offered.filter((name) => !excluded.has(name)) : offered
  if (fields) {
    const wanted = new Set(fields)
    return all.filter((name) => wanted.has(name))
  }
  if (brief && !omit) return model.definition.brief
  return omit ? all.filter((name) => !omit.includes(name)) : all
}

const excludableNames = oncePer(({ fields }: Model): ReadonlySet<string> => {
  const fieldsByName = [...fields].filter(([, field]) => field.kind === 'computed' && field.excludable === true)
  return new Set(fieldsByName.map(([name]) => name))
})
