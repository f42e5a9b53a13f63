import type { Field, Fields } from '../schema/field.ts'
import { type ChoicesByField, withFieldChoices } from '../schema/field-choices.ts'
import type { Definition } from '../schema/model.ts'
import { powerFeed } from './dcim/power-feed.ts'
import { primaryAddress, primaryAddressPreferringIpv4 } from './ipam/primary-address.ts'

/** The part of the configuration that changes declarations; config/settings.ts declares all of it. */
export interface ModelSettings {
  readonly fieldChoices: ChoicesByField
  /** Whether `primary_ip` is the IPv4 address if an object has both. */
  readonly preferIpv4: boolean
  readonly powerfeedDefaultVoltage: number
  readonly powerfeedDefaultAmperage: number
  readonly powerfeedDefaultMaxUtilization: number
}

/** The definitions as configured. Throws ConfigurationError for choices that cannot be configured. */
export function configuredModels(
  definitions: readonly Definition[],
  settings: Partial<ModelSettings>,
): readonly Definition[] {
  const { fieldChoices = {}, preferIpv4 = false } = settings
  const defaults: Readonly<Record<string, number | undefined>> = {
    voltage: settings.powerfeedDefaultVoltage,
    amperage: settings.powerfeedDefaultAmperage,
    max_utilization: settings.powerfeedDefaultMaxUtilization,
  }
  return withFieldChoices(definitions, fieldChoices).map((definition) => {
    if (definition.name === powerFeed.name) {
      return withFields(definition, (field, name) => {
        const value = defaults[name]
        return value === undefined || field.kind !== 'integer' ? field : { ...field, default: value }
      })
    }
    const hasPrimary = Object.values(definition.fields).some(isPrimaryAddress)
    return preferIpv4 && hasPrimary ? withFields(definition, preferringIpv4) : definition
  })
}

const isPrimaryAddress = (field: Field): boolean => field.kind === 'derivedKey' && field.sql === primaryAddress

const preferringIpv4 = (field: Field): Field =>
  field.kind === 'derivedKey' && isPrimaryAddress(field)
    ? Object.freeze({ ...field, sql: primaryAddressPreferringIpv4 })
    : field

function withFields(definition: Definition, change: (field: Field, name: string) => Field): Definition {
  const fields: Fields = Object.fromEntries(
    Object.entries(definition.fields).map(([name, field]) => [name, change(field, name)]),
  )
  return Object.freeze({ ...definition, fields })
}
