import type { BulkAdd } from '../../schema/view.ts'
import type { Control } from '../components/control.ts'
import type { ControlGroup } from '../forms/edit-controls.ts'
import type { PlainText } from '../texts/dictionaries.ts'
import { translate } from '../texts/translate.ts'

const HINTS: Readonly<Record<BulkAdd['pattern'], PlainText>> = {
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
      const help = translate('{place} stands for the number: VLAN-{place}.', {
        place: `{${field}}`,
      })
      return { ...control, help }
    }),
  }))
