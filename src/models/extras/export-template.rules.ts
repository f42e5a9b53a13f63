import { behaviour, type Rule } from '../../schema/rule.ts'
import { fileIsUsable, followDataFile } from './data-file.rules.ts'
import { parametersAreAllowed } from './environment-parameters.rules.ts'
import { exportTemplate } from './export-template.ts'
import { TEMPLATE_CODE } from './synced-field.ts'

/** `?export=table` is reserved: it requests the columns of a table. */
const nameIsNotReserved: Rule<typeof exportTemplate.fields> = ({ next }) =>
  next.name.toLowerCase() === 'table'
    ? { name: `"${next.name}" is a reserved name. Choose another one.` }
    : undefined

export const exportTemplateBehaviour = behaviour(exportTemplate, {
  normalize: [followDataFile(TEMPLATE_CODE)],
  modelRules: [fileIsUsable(TEMPLATE_CODE), parametersAreAllowed, nameIsNotReserved],
})
