import { invalid } from '../../base/errors.ts'
import type { BulkAdd } from '../../schema/view.ts'
import type { Control } from '../components/control.ts'
import type { ControlGroup } from '../forms/edit-controls.ts'
import type { BodyValue, FormBody } from '../forms/form-body.ts'
import { type Text, translate } from '../texts/translate.ts'
import { expandValue, type PatternFault } from './expand-value.ts'

/**
 * A body for each value of the pattern. Throws `invalid` for a pattern that cannot be used; returns at most `most`
 * bodies.
 */
export function patternBodies(
  { field, pattern, namedIn = [] }: BulkAdd,
  body: FormBody['body'],
  most: number,
): readonly FormBody['body'][] {
  const values = expandValue(pattern, String(body[field] ?? ''), most)
  if (typeof values === 'string') throw invalid({ [field]: [sentenceOf(values, most)] })
  return values.map((value) => ({
    ...body,
    ...Object.fromEntries(namedIn.map((name) => [name, named(body[name], field, value)])),
    [field]: pattern === 'numbers' ? Number(value) : value,
  }))
}

const named = (text: BodyValue | undefined, field: string, value: string): BodyValue =>
  typeof text === 'string' ? text.replaceAll(`{${field}}`, value) : (text ?? '')

const sentenceOf = (fault: PatternFault, most: number): string =>
  fault === 'tooMany'
    ? translate('The pattern produces more than {count} objects.', { count: most })
    : translate('This pattern is not valid.')

const HINTS: Readonly<Record<BulkAdd['pattern'], Text>> = {
  network: 'Ranges in brackets: 192.0.2.[1-10]/32, 10.[0-3,8].0.0/16, 2001:db8:[a-f]::/64',
  numbers: 'Numbers and ranges, separated by commas: 100,200-210',
}

/** The groups of a form with a pattern in place of the field's own control. */
export const patternGroups = (
  { field, pattern, namedIn = [] }: BulkAdd,
  groups: readonly ControlGroup[],
): readonly ControlGroup[] =>
  groups.map(({ label, controls }) => ({
    label,
    controls: controls.map((control): Control => {
      if (control.name === field) {
        const input = { kind: 'text', type: 'text', value: '', max: 200 } as const
        return { ...control, help: translate(HINTS[pattern]), sentAs: 'text', input }
      }
      if (!namedIn.includes(control.name)) return control
      const help = translate('{place} is replaced with the number: VLAN-{place}.', {
        place: `{${field}}`,
      })
      return { ...control, help }
    }),
  }))
