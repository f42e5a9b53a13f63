import { PROPOSE } from '../../../identity/permitted-rows.ts'
import { ownValue } from '../../../schema/json.ts'
import type { Registry } from '../../../schema/registry.ts'
import type { Control } from '../../components/control.ts'
import { humanize } from '../../components/humanize.ts'
import { sentenceCase, type Text, translate } from '../../texts/translate.ts'
import { shownTexts, withTexts } from '../form-texts.ts'

/** The actions of a permission as check boxes: those that some model has. All others are words in a field below. */
export function actionsControl({ models }: Registry, control: Control): Control {
  const further = new Set([...models.values()].flatMap(({ definition }) => definition.actions ?? [])).add(PROPOSE)
  const options = [...USUAL, ...[...further].sort()].map((value) => ({ value, label: labelOf(value) }))
  const open: Control = {
    ...control,
    help: translate('Other: further actions, such as those of plugins, separated by spaces'),
    input: { kind: 'checks', options, chosen: [], others: '' },
    sentAs: 'openWords',
  }
  return withTexts(
    open,
    shownTexts(control).flatMap((text) => text.split('\n')),
  )
}

const USUAL = ['view', 'add', 'change', 'delete'] as const

const LABELS: Readonly<Record<string, Text>> = {
  view: 'View',
  add: 'Add',
  change: 'Change',
  delete: 'Delete',
  archive: 'Archive',
  grant: 'Grant',
  merge: 'Merge',
  [PROPOSE]: 'Propose changes',
  render: 'Render',
  render_config: 'Render config',
  run: 'Run',
  sync: 'Sync',
}

const labelOf = (action: string): string => {
  const label = ownValue(LABELS, action)
  return label === undefined ? sentenceCase(humanize(action)) : translate(label)
}
