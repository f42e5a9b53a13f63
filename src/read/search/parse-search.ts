import { invalid, type Messages } from '../../base/errors.ts'
import type { Registry } from '../../schema/registry.ts'
import type { Service } from '../../service.ts'
import { lastValue } from '../query/last-value.ts'
import { parseText } from '../query/parse-value.ts'
import { RefusedValue } from '../query/refused-value.ts'
import { checkPattern } from '../query/regular-expression.ts'
import { parseWindow } from '../query/window.ts'
import { SEARCH_LOOKUPS, type SearchLookup } from './matching-entries.ts'
import type { Search } from './search.ts'

/** Maximum length of a term. */
export const LONGEST = 500

/** The search that the parameters describe. Throws `invalid` with all problems. */
export async function parseSearch(service: Service, parameters: URLSearchParams): Promise<Search> {
  const refused: Record<string, Messages> = {}
  const lookup = parseLookup(lastValue(parameters, 'lookup'), refused)
  const types = parseTypes(service.registry, parameters.getAll('obj_types'), refused)
  const text = await parseQuery(service, lastValue(parameters, 'q') ?? '', lookup, refused)
  if (Object.keys(refused).length > 0) throw invalid(refused)
  const only = new URLSearchParams([...parameters].filter(([name]) => name === 'limit' || name === 'offset'))
  const { limit = MOST_RESULTS, offset } = parseWindow(only, service.settings)
  return { text, lookup, types, limit: Math.min(limit, MOST_RESULTS), offset }
}

/** Maximum number of results in one response. */
const MOST_RESULTS = 1_000

async function parseQuery(
  { database }: Service,
  input: string,
  lookup: SearchLookup,
  refused: Record<string, Messages>,
): Promise<string> {
  try {
    const text = parseText(input)
    if (text === '') throw new RefusedValue('This field is required.')
    if (text.length > LONGEST) {
      throw new RefusedValue(`Ensure this field has no more than ${LONGEST} characters.`)
    }
    return lookup === 'iregex' ? await checkPattern(database, text) : text
  } catch (error) {
    if (!(error instanceof RefusedValue)) throw error
    refused.q = [error.message]
    return ''
  }
}

function parseLookup(input: string | undefined, refused: Record<string, Messages>): SearchLookup {
  const lookup = SEARCH_LOOKUPS.find((name) => name === (input || 'icontains'))
  if (!lookup) refused.lookup = [`Choose one of ${SEARCH_LOOKUPS.join(', ')}.`]
  return lookup ?? 'icontains'
}

/** Names of object types, repeated or separated by commas. */
function parseTypes(
  registry: Registry,
  inputs: readonly string[],
  refused: Record<string, Messages>,
): readonly string[] | undefined {
  const names = inputs.flatMap((list) => list.split(',')).filter((name) => name !== '')
  const unknown = names.filter((name) => registry.models.get(name)?.path === undefined)
  if (unknown.length > 0) refused.obj_types = unknown.map((name) => `No object type is named ${name}.`)
  return names.length === 0 ? undefined : names
}
