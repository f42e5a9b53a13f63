import { invalid } from '../../../base/errors.ts'
import { lastValue } from '../../../read/query/last-value.ts'
import type { Measures } from './elevation-drawing.ts'
import type { Face } from './rack-contents.ts'

/** Query parameters of an elevation. */
export interface ElevationOptions {
  readonly face: Face
  readonly render: 'json' | 'svg'
  /** Substring of a unit's number. */
  readonly q: string | undefined
  /** Id of a device to leave out. */
  readonly exclude: number | undefined
  /** A device appears at each of its units, not only at the lowest. */
  readonly expandDevices: boolean
  readonly includeImages: boolean
  readonly measures: Measures
}

/** Pixels; a wider drawing would be unusable. */
const WIDEST = 10_000
const TRUE: ReadonlySet<string> = new Set(['true', 't', 'yes', 'y', 'on', '1'])
const FALSE: ReadonlySet<string> = new Set(['false', 'f', 'no', 'n', 'off', '0'])

/** Reads the parameters. Throws `invalid` with all errors, by parameter. */
export function parseElevationOptions(search: URLSearchParams): ElevationOptions {
  const errors: Record<string, string[]> = {}
  const lastValueOf = (name: string) => lastValue(search, name)

  const choice = <T extends string>(name: string, [preset, ...alternatives]: readonly [T, ...T[]]): T => {
    const value = lastValueOf(name)
    const choice = [preset, ...alternatives].find((option) => option === (value ?? preset))
    if (choice === undefined) errors[name] = [`"${value}" is not a valid choice.`]
    return choice ?? preset
  }
  const boolean = (name: string): boolean => {
    const value = lastValueOf(name)?.toLowerCase() ?? 'true'
    if (!TRUE.has(value) && !FALSE.has(value)) errors[name] = ['Must be a valid boolean.']
    return TRUE.has(value)
  }
  const integer = (name: string): number | undefined => {
    const value = lastValueOf(name)
    if (value === undefined) return undefined
    if (/^\s*-?\d{1,15}\s*$/.test(value)) return Number(value)
    errors[name] = ['A valid integer is required.']
    return undefined
  }
  const pixels = (name: string, preset: number, least: number): number => {
    const value = integer(name) ?? preset
    if (value < least || value > WIDEST) {
      errors[name] = [`Ensure this value is between ${least} and ${WIDEST}.`]
    }
    return value
  }

  const options: ElevationOptions = {
    face: choice('face', ['front', 'rear']),
    render: choice('render', ['json', 'svg']),
    q: lastValueOf('q')?.trim() || undefined,
    exclude: integer('exclude'),
    expandDevices: boolean('expand_devices'),
    includeImages: boolean('include_images'),
    measures: {
      unitWidth: pixels('unit_width', 220, 40),
      unitHeight: pixels('unit_height', 22, 8),
      legendWidth: pixels('legend_width', 30, 0),
      marginWidth: pixels('margin_width', 15, 0),
    },
  }
  if (Object.keys(errors).length > 0) throw invalid(errors)
  return options
}
