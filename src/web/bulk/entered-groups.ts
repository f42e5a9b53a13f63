import type { FormValues } from '../../api/transport/body.ts'
import { withTexts } from '../forms/form-texts.ts'
import { textsIn } from '../forms/submitted-texts.ts'
import type { EditGroup } from './bulk-edit-controls.ts'

/** The groups with the values that were entered, for a form that has to be corrected. */
export function enteredGroups(
  groups: readonly EditGroup[],
  form: FormValues,
): readonly EditGroup[] {
  const emptied = new Set(textsIn(form, '_nullify'))
  return groups.map((group) => ({
    ...group,
    controls: group.controls.map((each) => ({
      ...each,
      control: withTexts(each.control, textsIn(form, each.control.name)),
      isEmptied: emptied.has(each.control.name),
    })),
  }))
}
