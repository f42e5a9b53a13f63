import { type Rule, rulesFor } from '../../schema/rule.ts'
import { exportTemplate } from './export-template.ts'

/** `?export=table` is taken: it asks for the columns of a table. */
const nameIsNotReserved: Rule<typeof exportTemplate.fields> = ({ next }) =>
  next.name.toLowerCase() === 'table'
    ? { name: `"${next.name}" is a reserved name. Choose another one.` }
    : undefined

export const exportTemplateRules = rulesFor(exportTemplate, nameIsNotReserved)
