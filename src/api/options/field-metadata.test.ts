import { describe, expect, it } from 'vitest'
import { BEHAVIOURS, MODELS } from '../../models/index.ts'
import { buildRegistry } from '../../schema/registry.ts'
import { fieldsMetadata } from './field-metadata.ts'

const registry = buildRegistry(MODELS, BEHAVIOURS)
const told = (model: string, field: string) => fieldsMetadata(registry, registry.model(model))[field]

describe('the metadata of a field in OPTIONS', () => {
  it.each([
    ['dcim.devicetype', 'u_height', { type: 'decimal', min_value: 0, max_digits: 4 }],
    ['dcim.device', 'position', { min_value: 1, max_value: 100.5 }],
    ['dcim.devicebay', '_occupied', { type: 'boolean', read_only: true }],
    ['dcim.interface', '_occupied', { type: 'field', read_only: true }],
    ['dcim.module', 'adopt_components', { type: 'boolean', read_only: false }],
    ['circuits.circuitgroupassignment', 'member_id', { label: 'Member ID', min_value: 0 }],
    ['virtualization.cluster', 'allocated_vcpus', { max_digits: 8, decimal_places: 2 }],
    ['extras.eventrule', 'event_types', { type: 'list', child: { type: 'choice' } }],
    ['extras.customfieldchoiceset', 'extra_choices', { child: { min_length: 2, max_length: 2 } }],
  ])('%s: %s', (model, field, expected) => {
    expect(told(model, field)).toMatchObject(expected)
  })

  it('has no upper limit derived from the number of digits', () => {
    expect(told('dcim.devicetype', 'u_height')).not.toHaveProperty('max_value')
    expect(told('virtualization.virtualmachine', 'vcpus')).not.toHaveProperty('max_value')
  })

  it('lists the allowed object types with their labels', () => {
    const choices = told('extras.bookmark', 'object_type')?.choices
    expect(choices).toContainEqual({ value: 'dcim.macaddress', display_name: 'DCIM > MAC Address' })
    expect(choices).not.toContainEqual(expect.objectContaining({ value: 'extras.bookmark' }))
  })

  it.each([
    ['dcim.region', true],
    ['dcim.devicerole', false],
  ])('%s: a parent is described with the counts of its subtree: %s', (model, isCounted) => {
    const children = Object.keys(told(model, 'parent')?.children ?? {})
    expect(children.some((name) => name.endsWith('_count'))).toBe(isCounted)
  })
})
