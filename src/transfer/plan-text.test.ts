import { expect, test } from 'vitest'
import type { AppliedPlan } from './apply-files.ts'
import { planText } from './plan-text.ts'

const record = (before: object, after: object) => ({
  ...{ action: 'update' as const, type: 'dcim.site', id: 1, relatedType: null, relatedId: null },
  ...{ name: 'Akron', message: '', context: '', undo: '' },
  ...{ before: JSON.stringify(before), after: JSON.stringify(after) },
})

const PLAN: AppliedPlan = {
  effects: {
    created: [{ type: 'dcim.rack', id: 5, display: 'R1' }],
    changed: [
      {
        ...{ type: 'dcim.site', id: 1, display: 'Akron' },
        fields: ['facility', 'custom_fields', 'latitude'],
      },
    ],
    deleted: [{ type: 'dcim.rack', id: 4, display: 'R0' }],
    records: [
      record({ facility: 'f', custom_fields: { a: 1 } }, { facility: 'g', custom_fields: {} }),
      record({ facility: 'g', custom_fields: {} }, { facility: 'h', custom_fields: { b: 'x' } }),
    ],
  },
  counts: { created: 1, updated: 1, deleted: 1, unchanged: 7 },
}

test('a plan is printed like a diff, with the values before the first change of an object and after the last', () => {
  expect(planText(PLAN, true)).toBe(`+ dcim.rack R1
~ dcim.site Akron
    - facility: "f"
    + facility: "h"
    - custom_fields.a: 1
    + custom_fields.a: null
    - custom_fields.b: null
    + custom_fields.b: "x"
      latitude
- dcim.rack R0
1 objects would be created, 1 changed, 1 deleted; 7 of the document are unchanged.`)
})
