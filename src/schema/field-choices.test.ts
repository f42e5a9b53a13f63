import { describe, expect, it } from 'vitest'
import { MODELS } from '../models/index.ts'
import { withFieldChoices } from './field-choices.ts'

const choicesOf = (name: string, configured: Parameters<typeof withFieldChoices>[1]) => {
  const field = withFieldChoices(MODELS, configured).find((definition) => definition.name === name)?.fields.status
  if (field?.kind !== 'choice') throw new Error('no choices')
  return { values: field.choices.list.map(({ value }) => value), default: field.default }
}
const before = choicesOf('dcim.site', {})

describe('configured choices', () => {
  it('extend those of a field', () => {
    const configured = { 'dcim.Site.status+': [['new', 'New', 'red']] as const }
    expect(choicesOf('dcim.site', configured)).toEqual({
      values: [...before.values, 'new'],
      default: 'active',
    })
  })

  it('replace those of a field, and the first is the default if the former default is missing', () => {
    const configured = {
      'dcim.Site.status': [
        ['a', 'A'],
        ['b', 'B'],
      ] as const,
    }
    expect(choicesOf('dcim.site', configured)).toEqual({ values: ['a', 'b'], default: 'a' })
    expect(choicesOf('dcim.rack', configured)).toEqual(choicesOf('dcim.rack', {}))
  })

  it('apply to every field and filter with the same choices', () => {
    const configured = { 'circuits.Circuit.status+': [['x', 'X']] as const }
    expect(choicesOf('circuits.virtualcircuit', configured).values).toContain('x')
  })

  it.each([
    ['dcim.Cable.status', [['a', 'A']], 'the choices of dcim.Cable.status cannot be configured'],
    ['dcim.Site.status+', [['active', 'A']], 'has a value twice'],
  ] as const)('of %s are refused: %j', (key, rows, message) => {
    expect(() => withFieldChoices(MODELS, { [key]: rows })).toThrow(message)
  })
})
