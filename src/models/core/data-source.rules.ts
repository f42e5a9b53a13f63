import { type Rule, rulesFor } from '../../schema/rule.ts'
import { dataSource } from './data-source.ts'

const SCHEME = /^([a-z][a-z0-9+.-]*):/i

const localSourceIsDirectory: Rule<typeof dataSource.fields> = ({ next }) => {
  const scheme = SCHEME.exec(next.source_url)?.[1]?.toLowerCase() ?? 'file'
  return next.type === 'local' && scheme !== 'file'
    ? { source_url: 'A local source is a path, or begins with file://.' }
    : undefined
}

export const dataSourceRules = rulesFor(dataSource, localSourceIsDirectory)
