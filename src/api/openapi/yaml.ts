import type { Json } from '../../schema/json.ts'

/**
 * YAML of a JSON value: blocks indented by two spaces, every text in double quotes as in JSON, which YAML 1.2 parses
 * alike. A general library takes seconds for a document of this size.
 */
export function toYaml(value: Json): string {
  const lines: string[] = []
  writeBlock(value, '', lines)
  return `${lines.join('\n')}\n`
}

const isBlock = (value: Json): value is Extract<Json, object> =>
  typeof value === 'object' && value !== null && Object.keys(value).length > 0

function writeBlock(value: Json, indent: string, lines: string[]): void {
  if (!isBlock(value)) {
    lines.push(`${indent}${JSON.stringify(value)}`)
  } else if (Array.isArray(value)) {
    for (const item of value as readonly Json[]) writeEntry('-', item, indent, lines)
  } else {
    for (const [name, item] of Object.entries(value)) {
      writeEntry(`${isPlain(name) ? name : JSON.stringify(name)}:`, item, indent, lines)
    }
  }
}

function writeEntry(head: string, value: Json, indent: string, lines: string[]): void {
  if (isBlock(value)) {
    lines.push(`${indent}${head}`)
    writeBlock(value, `${indent}  `, lines)
  } else lines.push(`${indent}${head} ${JSON.stringify(value)}`)
}

/** Names that YAML cannot parse as anything but a text. */
const isPlain = (name: string): boolean =>
  /^[a-z][a-z0-9_]*$/i.test(name) && !/^(y|n|yes|no|on|off|true|false|null)$/i.test(name)
