import { behaviour } from '../../schema/rule.ts'
import { configTemplate } from './config-template.ts'
import { followDataFile } from './data-file.rules.ts'
import { parametersAreAllowed } from './environment-parameters.rules.ts'

export const configTemplateBehaviour = behaviour(configTemplate, {
  normalize: [followDataFile],
  modelRules: [parametersAreAllowed],
})
