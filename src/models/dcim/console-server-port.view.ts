import { modelView } from '../../schema/view.ts'
import { consoleView } from './console-view.ts'

export const consoleServerPortView = modelView(
  'dcim.consoleserverport',
  consoleView('Console server port'),
)
