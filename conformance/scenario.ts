import { setTimeout as sleep } from 'node:timers/promises'
import type { Difference } from './difference.ts'
import { type Client, jsonOf } from './http-client.ts'
import { isObject, type Json } from './json.ts'
import type { Outcome } from './outcome.ts'
import type { Scenario, Step } from './recordings.ts'
import { isCollection, resourceOf } from './resources.ts'
import { unanswered } from './status.ts'
import { checkStep, requestOf, saveFrom } from './step.ts'
import { initialVariables, soon, unresolved, type Variables } from './variables.ts'

/** Data that all scenarios of a run share. */
export interface ScenarioRun {
  readonly client: Client
  /** Makes the names of the scenarios' objects unique. */
  readonly salt: string
  /** `me_id`, `me_username` and `me_display`. */
  readonly caller: Variables
}

/** A step's name, which conformance/differences.md uses too. Steps are counted from zero. */
export function stepId(scenario: string, index: number): string {
  return `${scenario} step ${index}`
}

/** The collections that a scenario's requests use, without roots and pages of the service. */
export function touchedBy(scenario: Scenario): Set<string> {
  return new Set(scenario.steps.map(({ path }) => resourceOf(path)).filter(isCollection))
}

/** Replays one scenario. Each step has an outcome, even if it could not be sent because a value was missing. */
export async function runScenario(scenario: Scenario, run: ScenarioRun): Promise<Outcome[]> {
  const variables = initialVariables(scenario.id, run.salt, run.client.base)
  for (const [name, value] of run.caller) variables.set(name, value)
  const known = new Set(scenario.steps.flatMap((step) => Object.keys(step.save ?? {})))

  const outcomes: Outcome[] = []
  for (const [index, step] of scenario.steps.entries()) {
    const differences = await runStep(step, { client: run.client, variables, known })
    outcomes.push({
      part: 'scenarios',
      id: stepId(scenario.id, index),
      scenario: scenario.id,
      resource: resourceOf(step.path),
      kind: scenario.file.split('-')[0] ?? scenario.file,
      context: `scenario ${step.method}`,
      differences: differences.map((difference) => withoutTags(difference, variables)),
    })
  }
  return outcomes
}

interface StepRun {
  readonly client: Client
  readonly variables: Variables
  readonly known: ReadonlySet<string>
}

async function runStep(step: Step, { client, variables, known }: StepRun): Promise<Difference[]> {
  const needs = unresolved(sentParts(step), variables, known)
  if (needs.size > 0) {
    return [{ cause: 'not sent: an earlier step gave no id', actual: [...needs].sort().join(', ') }]
  }
  if (step.wait !== undefined) await sleep(step.wait * 1000)
  variables.set('soon', soon(new Date()))
  try {
    const answer = await client.send(requestOf(step, variables))
    const unsaved = saveFrom(step, answer, variables)
    const differences = checkStep(step.expect, answer, variables)
    // After a wrong status, missing values are no additional difference.
    const isOther = differences[0]?.cause.startsWith('status ') === true
    return isOther ? differences : [...differences, ...unsaved]
  } catch (error) {
    return [unanswered(error)]
  }
}

const sentParts = (step: Step): Json => [
  step.path,
  { ...step.headers },
  step.json ?? null,
  { ...step.multipart?.fields },
  step.raw ?? null,
]

/** The cause without the scenario's own names, so that it has the same text in every run and scenario. */
function withoutTags(difference: Difference, variables: Variables): Difference {
  const tag = String(variables.get('tag'))
  return { ...difference, cause: difference.cause.replaceAll(tag, '{tag}') }
}

/** The client's user, from `/api/authentication-check/`. Throws an Error if the request fails. */
export async function whoAmI(client: Client): Promise<Variables> {
  const answer = await client.send({ method: 'GET', path: '/api/authentication-check/' })
  const body = jsonOf(answer)
  if (answer.status !== 200 || !isObject(body)) {
    throw new Error(`/api/authentication-check/ answered ${answer.status}`)
  }
  return new Map<string, Json>([
    ['me_id', body.id ?? null],
    ['me_username', body.username ?? null],
    ['me_display', body.display ?? null],
  ])
}
