import type { Form } from '../schema/field.ts'
import type { Model } from '../schema/registry.ts'
import type { Service } from '../service.ts'
import { addEntry, entriesOf } from './fields.ts'
import type { Plan } from './plan.ts'
import { PlanBuilder } from './plan-builder.ts'

const nestedPlans = new WeakMap<Model, WeakMap<Form, Plan>>()

/** Plan of a nested form; compiled at its first use, since forms may lead round in circles. */
export function nestedPlan(service: Service, model: Model, form: Form): Plan {
  const plans = nestedPlans.get(model) ?? new WeakMap<Form, Plan>()
  nestedPlans.set(model, plans)
  const known = plans.get(form)
  if (known) return known
  const plan = compilePlan(service, model, form, { isNested: true })
  plans.set(form, plan)
  return plan
}

/** Turns a form into a select list, loads and writers. Throws for a name that is no field. */
export function compilePlan(
  service: Service,
  model: Model,
  form: Form,
  { isNested }: { readonly isNested: boolean },
): Plan {
  const builder = new PlanBuilder(service, model, isNested)
  for (const entry of entriesOf(form)) addEntry(builder, entry)
  return {
    model,
    key: `${isNested ? 'nested' : 'shown'} ${model.name} ${JSON.stringify(form)}`,
    select: builder.select(),
    parts: builder.parts,
    loads: builder.loads,
    dependencies: remember(() => dependenciesOf(service, builder)),
  }
}

/** Models of the plan itself and of all forms that it shows, however deep. */
function dependenciesOf(service: Service, start: PlanBuilder): ReadonlySet<string> | undefined {
  if (!start.isTraceable) return undefined
  const models = new Set([start.model.name, ...start.tablesRead()])
  for (const { model, form } of start.nestedUses) {
    const below = nestedPlan(service, model, form).dependencies()
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
