import { registered, words } from '../../schema/view.ts'
import { cableTerminationBehaviour } from './cable-termination.rules.ts'
import { cableTermination } from './cable-termination.ts'

export const cableTerminationModel = registered(cableTermination, {
  behaviour: cableTerminationBehaviour,
  columns: words('display cable cable_end termination_type termination_id connector positions'),
  panels: words('cable cable_end termination_type termination_id termination connector positions'),
  moreColumns: { plus: ['termination'] },
})
