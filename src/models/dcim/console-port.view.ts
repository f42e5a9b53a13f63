import { modelView } from '../../schema/view.ts'
import { consoleView } from './console-view.ts'

export const consolePortView = modelView('dcim.consoleport', consoleView('Console port'))
