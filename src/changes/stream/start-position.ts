import { type ApiError, invalid } from '../../base/errors.ts'
import { parseInteger } from '../../read/query/parse-value.ts'
import { RefusedValue } from '../../read/query/refused-value.ts'
import type { Service } from '../../service.ts'
import { earliestStart, readBounds, requireKept } from './read-events.ts'

/** The value of `after` for the current end of the stream. */
export const FROM_NOW = 'now'

/**
 * The position after which a reader starts. `requested`: a position, or `now`; without one, the
 * reader starts at the first stored event. Throws `gone` for a position whose next event has been deleted, and
 * `invalid` for one that does not exist.
 */
export async function startPosition(
  service: Pick<Service, 'database'>,
  requested: string | undefined,
): Promise<number> {
  const bounds = await readBounds(service)
  const { last } = bounds
  if (requested === undefined) return earliestStart(bounds)
  if (requested === FROM_NOW) return last
  const position = parsePosition(requested)
  if (position > last) throw refused(`The stream has no position ${position}: it ends at ${last}.`)
  requireKept(bounds, position)
  return position
}

function parsePosition(text: string): number {
  try {
    const position = Number(parseInteger(text))
    if (position >= 0) return position
  } catch (error) {
    if (!(error instanceof RefusedValue)) throw error
  }
  throw refused(`Enter a position of the stream: a whole number, or ${FROM_NOW}.`)
}

const refused = (message: string): ApiError => invalid({ after: [message] })
