import type { NestedProjection } from '../../schema/field.ts'
import { oncePer } from '../../schema/once-per.ts'
import type { Model } from '../../schema/registry.ts'
import type { Service } from '../../service.ts'
import { addEntry, entriesOf, type ProjectionEntry } from './fields.ts'
import { NESTED_FORM, type PlanForm, type ReadPlan } from './plan.ts'
import { PlanBuilder } from './plan-builder.ts'

/** Plan of a nested projection; compiled on first use, since projections may be recursive. */
export const nestedPlan = (service: Service, model: Model, projection: NestedProjection): ReadPlan =>
  nestedPlansOf(model)(projection, service)

const nestedPlansOf = oncePer((model: Model) =>
  oncePer((projection: NestedProjection, service: Service) =>
    compilePlan(service, model, entriesOf(projection), NESTED_FORM),
  ),
)

let compiled = 0

/** Turns a projection into a select list, loads and renderers. Throws for an unknown field. */
export function compilePlan(
  service: Service,
  model: Model,
  entries: readonly ProjectionEntry[],
  form: PlanForm,
): ReadPlan {
  const builder = new PlanBuilder(service, model, form)
  for (const entry of entries) addEntry(builder, entry)
  return {
    model,
    key: String(compiled++),
    select: builder.select(),
    columns: builder.columns,
    parts: builder.parts,
    loads: builder.loads,
  }
}
