import { choices } from '../../schema/choices.ts'
import { choice, decimal } from '../../schema/field.ts'
import type { Refusal } from '../../schema/rule.ts'

/** Methods by which hardware is cooled. */
export const coolingMethod = choices([
  ['air', 'Air', 'cyan'],
  ['liquid', 'Liquid', 'blue'],
  ['hybrid', 'Hybrid', 'purple'],
  ['immersion', 'Immersion', 'indigo'],
])

/** Racks that a cooling method can serve. */
export const coolingCapability = choices([
  ['air-only', 'Air only', 'cyan'],
  ['hybrid', 'Hybrid', 'purple'],
  ['liquid-only', 'Liquid only', 'blue'],
])

/** Statuses of cooling sources and feeds. */
export const coolingStatus = choices([
  ['offline', 'Offline', 'gray'],
  ['active', 'Active', 'green'],
  ['planned', 'Planned', 'blue'],
  ['failed', 'Failed', 'red'],
])

const connectorType = choices([
  ['uqd', 'UQD (Universal Quick Disconnect)'],
  ['uqdb', 'UQDB (Universal Quick Disconnect, Blind-mate)'],
  ['qdc', 'QDC (Quick Disconnect Coupling)'],
  ['camlock', 'Camlock (cam-and-groove)'],
  ['npt', 'NPT (threaded)'],
  ['bsp', 'BSP (threaded)'],
  ['proprietary', 'Proprietary'],
])

const diameterUnit = choices([
  ['mm', 'Millimeters'],
  ['cm', 'Centimeters'],
  ['in', 'Inches'],
])

const flowUnit = choices([
  ['lpm', 'Liters per minute (L/min)'],
  ['m3ph', 'Cubic meters per hour (m³/h)'],
  ['gpm', 'Gallons per minute (GPM)'],
])

/** Removable heat in kilowatts. */
export const coolingCapacity = decimal({ digits: 10, places: 2, range: [0, 99_999_999.99], nullable: true, unit: 'kW' })

export const maxFlow = {
  max_flow: decimal({ digits: 8, places: 2, range: [0.01, 999_999.99], nullable: true, unit: 'max_flow_unit' }),
  max_flow_unit: choice(flowUnit, { nullable: true, blank: true }),
}

/** The connector of an intake or outflow. */
export const connector = {
  type: choice(connectorType, { nullable: true, blank: true }),
  diameter: decimal({ digits: 8, places: 2, range: [0.01, 999_999.99], nullable: true, unit: 'diameter_unit' }),
  diameter_unit: choice(diameterUnit, { nullable: true, blank: true }),
}

type Row = Readonly<Record<string, unknown>>

/** Refuses a measure without its unit. */
export const measureNeedsUnit =
  (...names: readonly string[]) =>
  ({ next }: { readonly next: Row }): Refusal | undefined => {
    const lacking = names.find((name) => next[name] !== null && !next[`${name}_unit`])
    return lacking === undefined ? undefined : { __all__: `The ${lacking.replace('_', ' ')} needs a unit.` }
  }

/** Clears the unit of an empty measure. */
export const dropUnits =
  (...names: readonly string[]) =>
  ({ next }: { readonly next: Row }): Record<string, null> =>
    Object.fromEntries(names.filter((name) => next[name] === null).map((name) => [`${name}_unit`, null]))
