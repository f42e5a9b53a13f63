import { createHash } from 'node:crypto'
import type { Json } from '../../schema/json.ts'
import type { Registry } from '../../schema/registry.ts'
import { appDocument } from './app-document.ts'
import { type DocumentOptions, openApiDocument } from './document.ts'

/** The document in one of its formats. */
interface OpenApiText {
  /** In UTF-8. */
  readonly body: Buffer
  /** Changes with the contents. */
  readonly version: string
}

/** The document in both formats, each generated at the first request and then cached. */
export interface OpenApiTexts {
  json(): OpenApiText
  yaml(): OpenApiText
  /** The part of one app, in JSON; '' for endpoints that belong to no app. */
  app(name: string): OpenApiText
}

export function openApiTexts(registry: Registry, options: DocumentOptions): OpenApiTexts {
  let json: OpenApiText | undefined
  let yaml: OpenApiText | undefined
  const apps = new Map<string, OpenApiText>()
  return {
    json: () => {
      json ??= textOf(JSON.stringify(openApiDocument(registry, options)))
      return json
    },
    yaml: () => {
      yaml ??= textOf(toYaml(openApiDocument(registry, options)))
      return yaml
    },
    app: (name) => {
      const cached = apps.get(name)
      if (cached) return cached
      const text = textOf(JSON.stringify(appDocument(openApiDocument(registry, options), name)))
      apps.set(name, text)
      return text
    },
  }
}

function textOf(text: string): OpenApiText {
  const body = Buffer.from(text)
  return { body, version: createHash('sha256').update(body).digest('base64url').slice(0, 12) }
}

/**
 * YAML of a JSON value: blocks indented by two spaces, and every text in double quotes as in JSON, which YAML 1.2
 * parses in the same way. A general library takes seconds for a document of this size.
 */
function toYaml(value: Json): string {
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

/** Names that YAML can only parse as text. */
const isPlain = (name: string): boolean =>
  /^[a-z][a-z0-9_]*$/i.test(name) && !/^(y|n|yes|no|on|off|true|false|null)$/i.test(name)
