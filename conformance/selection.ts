import type { Options } from './options.ts'
import type { Scenario } from './recordings.ts'
import { resourceOf } from './resources.ts'
import { touchedBy } from './scenario.ts'

type Wanted = Pick<Options, 'match' | 'resource' | 'resources'>

/** Whether a case of one resource is selected. */
export function wantsRead(text: string, resource: string, wanted: Wanted): boolean {
  if (wanted.match !== undefined && !text.includes(wanted.match)) return false
  if (wanted.resource.length > 0 && !wanted.resource.includes(resource)) return false
  return wanted.resources === undefined || wanted.resources.has(resource)
}

/** Whether a scenario is selected: it uses a selected resource, and none outside of the list. */
export function wantsScenario(scenario: Scenario, wanted: Wanted): boolean {
  if (wanted.match !== undefined && !scenario.id.includes(wanted.match)) return false
  const { resource, resources } = wanted
  if (resource.length > 0) {
    const checked = scenario.steps.filter(({ setup, cleanup }) => !setup && !cleanup)
    if (!checked.some(({ path }) => resource.includes(resourceOf(path)))) return false
  }
  return resources === undefined || [...touchedBy(scenario)].every((name) => resources.has(name))
}
