import { modelView } from '../../schema/view.ts'
import { passThroughView } from './pass-through-view.ts'

export const rearPortView = modelView(
  'dcim.rearport',
  passThroughView({ title: 'Rear port', importRequires: ['positions'] }),
)
