import { expect } from 'vitest'
import { currentService } from '../../src/service.ts'
import { type Api, startApi } from './api.ts'
import type { TestSettings } from './settings.ts'

/** Fields of the types below: every kind, each with the options that it allows. */
const FIELDS: Readonly<Record<string, readonly object[]>> = {
  gadgets: [
    { name: 'label', type: 'text', primary: true, required: true, unique: true },
    { name: 'notes', type: 'longtext', group_name: 'Notes' },
    { name: 'amount', type: 'integer', validation_minimum: -5, validation_maximum: 5000, default: 3 },
    { name: 'serial', type: 'integer', unique: true },
    { name: 'price', type: 'decimal', validation_minimum: 0, context: true },
    { name: 'is_signed', type: 'boolean', default: false },
    { name: 'ends', type: 'date' },
    { name: 'checked', type: 'datetime' },
    { name: 'manual', type: 'url' },
    { name: 'extra', type: 'json' },
    { name: 'tariff', type: 'select', choice_set: { name: 'Tariffs' }, default: 'gold' },
    { name: 'tariffs', type: 'multiselect', choice_set: { name: 'Tariffs' } },
    { name: 'site', type: 'object', related_object_type: 'dcim.site', related_name: 'gadgets' },
    { name: 'racks', type: 'multiobject', related_object_type: 'dcim.rack' },
    {
      ...{ name: 'attached', type: 'object', is_polymorphic: true },
      related_object_types: ['dcim.rack', 'dcim.site'],
    },
    {
      ...{ name: 'places', type: 'multiobject', is_polymorphic: true, label: 'Places' },
      related_object_types: ['dcim.rack', 'dcim.devicetype'],
    },
    { name: 'spot', type: 'coordinates' },
    { name: 'gateway', type: 'address' },
    { name: 'network', type: 'prefix', unique: true },
    { name: 'mac', type: 'mac_address' },
  ],
  'gadget-parts': [
    {
      ...{ name: 'gadget', type: 'object', related_object_type: 'custom_objects.gadget', required: true },
      ...{ on_delete_behavior: 'cascade', related_name: 'parts' },
    },
    { name: 'position', type: 'integer', required: true },
    { name: 'spares', type: 'multiobject', related_object_type: 'custom_objects.gadget', required: true },
    {
      ...{ name: 'holder', type: 'object', is_polymorphic: true, on_delete_behavior: 'cascade' },
      related_object_types: ['custom_objects.gadget', 'tenancy.tenant'],
    },
    { name: 'tenant', type: 'object', related_object_type: 'tenancy.tenant', on_delete_behavior: 'protect' },
    {
      ...{ name: 'users', type: 'multiobject', is_polymorphic: true, related_name: 'used_parts', context: true },
      related_object_types: ['custom_objects.gadget', 'tenancy.tenant'],
    },
    { name: 'grade', type: 'select', choice_set: { name: 'Tariffs' }, required: true },
  ],
  // A type need not have fields, or a field that names its objects.
  gadget_parts: [],
}

const COMPUTED = [
  ['custom_objects.gadget', 'part_count', 'count(parts)'],
  ['custom_objects.gadget', 'total', 'price * amount'],
  ['custom_objects.gadget', 'year_of_end', 'year(ends)'],
  ['custom_objects.gadgetpart', 'of_gadget', "gadget.label & ' ' & position"],
  ['custom_objects.gadgetpart', 'is_first', 'position <= 1'],
  ['dcim.site', 'gadget_total', 'sum(gadgets.amount)'],
  ['dcim.site', 'latest_end', 'max(gadgets.ends)'],
] as const

/** Defines custom object types with fields of every kind and options, and computed fields of them and of sites. */
export const OWN_MODELS = {
  objects: {
    'extras.customfieldchoiceset': [
      {
        name: 'Tariffs',
        extra_choices: [
          ['gold', 'Gold'],
          ['silver', 'Silver'],
        ],
      },
    ],
    'custom_objects.customobjecttype': [
      { name: 'gadget', slug: 'gadgets', group_name: 'Things', ordering: ['-amount', 'label'] },
      {
        ...{ name: 'gadget_part', slug: 'gadget-parts', verbose_name: 'Part', verbose_name_plural: 'Parts' },
        ...{ display_expression: '{{ position }}: {{ grade }}', unique_together: [['gadget', 'position']] },
      },
      // Labels need not be names, and the slug differs from another one in a character that GraphQL does not allow.
      { name: 'bare_thing', slug: 'gadget_parts', verbose_name: '3 "Öl"-<Ding>', verbose_name_plural: '(Dinge)' },
    ],
    'custom_objects.customobjecttypefield': Object.entries(FIELDS).flatMap(([slug, fields]) =>
      fields.map((field) => ({ custom_object_type: { slug }, ...field })),
    ),
    'extras.computedfield': COMPUTED.map(([object_type, name, expression]) => ({ object_type, name, expression })),
  },
}

/**
 * Names of the packs with models that the suites over all models cover. Those with rows that effects maintain (dns,
 * observed) are never again byte for byte as they were, and have suites of their own.
 */
export const SHIPPED_PACKS = [
  'access-lists',
  'attachments',
  'bgp',
  'contracts',
  'documents',
  'floorplan',
  'inventory',
  'labels',
  'lifecycle',
] as const

/**
 * As `startApi`, with the models and the computed fields of `OWN_MODELS`, and with all packs, which suites then treat as
 * any others.
 */
export const startApiWithOwnModels = async (environment?: TestSettings): Promise<Api> =>
  await withOwnModels(await startApi({ PACKS: SHIPPED_PACKS.join(','), ...environment }))

/** The API after it has defined `OWN_MODELS`. */
export async function withOwnModels(api: Api): Promise<Api> {
  try {
    const { status, text } = await api.ask('POST', '/api/apply/', { body: OWN_MODELS })
    expect(status, text).toBe(200)
    // A request waits for the models that are defined before it.
    expect((await api.ask('GET', '/api/plugins/custom-objects/gadgets/')).status).toBe(200)
  } catch (error) {
    await api.close()
    throw error
  }
  const { service } = api
  return {
    ...api,
    get service() {
      return currentService(service)
    },
  }
}
