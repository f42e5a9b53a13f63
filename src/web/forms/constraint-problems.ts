import type { ApiRequest } from '../../api/api-request.ts'
import { unfitConstraints } from '../../identity/unfit-constraints.ts'
import { isJsonObject, stringsIn } from '../../schema/json.ts'
import type { Model } from '../../schema/registry.ts'
import { shownPlural } from '../components/model-title.ts'
import { translate } from '../texts/translate.ts'

/** A reason why a constraint selects no objects of a type. */
interface ConstraintProblem {
  readonly complaint: string
  readonly unknown?: { readonly model: Model; readonly name: string } | undefined
}

/** The reason in one sentence: `Sites have no field site.` `model`: the type of the objects. */
export const problemSentence = (model: Model, { complaint, unknown }: ConstraintProblem): string =>
  unknown
    ? translate('{objects} have no field {name}.', { objects: shownPlural(unknown.model), name: unknown.name })
    : `${shownPlural(model)}: ${complaint}`

/** Sentences about the object types of a permission of which its constraints select no objects. */
export async function constraintProblems(
  { service: { database, registry } }: ApiRequest,
  { object_types, constraints }: { readonly object_types?: unknown; readonly constraints?: unknown },
): Promise<readonly string[]> {
  const alternatives = [constraints].flat().filter(isJsonObject)
  const problems = await unfitConstraints(database, registry, stringsIn(object_types), alternatives)
  return [...new Set(problems.map((problem) => problemSentence(registry.model(problem.objectType), problem)))]
}
