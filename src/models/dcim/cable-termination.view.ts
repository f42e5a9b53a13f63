import { fieldGroup, modelView, words } from '../../schema/view.ts'

export const cableTerminationView = modelView('dcim.cabletermination', {
  columns: words('display cable cable_end termination_type termination_id connector positions'),
  panels: [
    [
      fieldGroup(
        'Cable termination',
        'cable cable_end termination_type termination_id termination connector positions',
      ),
    ],
  ],
})
