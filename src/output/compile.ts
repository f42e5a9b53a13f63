import type { NestedProjection } from '../schema/field.ts'
import type { Model } from '../schema/registry.ts'
import type { Service } from '../service.ts'
import { addEntry, entriesOf } from './fields.ts'
import type { ReadPlan } from './plan.ts'
import { PlanBuilder } from './plan-builder.ts'

const nestedPlans = new WeakMap<Model, WeakMap<NestedProjection, ReadPlan>>()

/** Plan of a nested projection; compiled at its first use, since projections may lead round in circles. */
export function nestedPlan(service: Service, model: Model, projection: NestedProjection): ReadPlan {
  const plans = nestedPlans.get(model) ?? new WeakMap<NestedProjection, ReadPlan>()
  nestedPlans.set(model, plans)
  const known = plans.get(projection)
  if (known) return known
  const plan = compilePlan(service, model, projection, { isNested: true })
  plans.set(projection, plan)
  return plan
}

/** Turns a projection into a select list, loads and writers. Throws for a name that is no field. */
export function compilePlan(
  service: Service,
  model: Model,
  projection: NestedProjection,
  { isNested }: { readonly isNested: boolean },
): ReadPlan {
  const builder = new PlanBuilder(service, model, isNested)
  for (const entry of entriesOf(projection)) addEntry(builder, entry)
  return {
    model,
    key: `${isNested ? 'nested' : 'shown'} ${model.name} ${JSON.stringify(projection)}`,
    select: builder.select(),
    parts: builder.parts,
    loads: builder.loads,
    dependencies: remember(() => dependenciesOf(service, builder)),
  }
}

/** Models of the plan itself and of all projections that it shows, however deep. */
function dependenciesOf(service: Service, start: PlanBuilder): ReadonlySet<string> | undefined {
  if (!start.isTraceable) return undefined
  const models = new Set([start.model.name, ...start.modelsRead()])
  for (const { model, projection } of start.nestedUses) {
    const below = nestedPlan(service, model, projection).dependencies()
    if (!below) return undefined
    for (const name of below) models.add(name)
  }
  return models
}

function remember<T>(compute: () => T): () => T {
  let kept: { readonly value: T } | undefined
  return () => {
    kept ??= { value: compute() }
    return kept.value
  }
}
