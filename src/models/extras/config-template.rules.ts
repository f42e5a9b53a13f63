import { behaviour } from '../../schema/rule.ts'
import { configTemplate } from './config-template.ts'
import { fileIsUsable, followDataFile } from './data-file.rules.ts'
import { parametersAreAllowed } from './environment-parameters.rules.ts'
import { TEMPLATE_CODE } from './synced-field.ts'

export const configTemplateBehaviour = behaviour(configTemplate, {
  normalize: [followDataFile(TEMPLATE_CODE)],
  modelRules: [fileIsUsable(TEMPLATE_CODE), parametersAreAllowed],
})
