import { createHash } from 'node:crypto'
import type { Registry } from '../../schema/registry.ts'
import { appDocument } from './app-document.ts'
import { type DocumentOptions, openApiDocument } from './document.ts'
import { toYaml } from './yaml.ts'

/** The document in one of its formats. */
export interface OpenApiText {
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
      const known = apps.get(name)
      if (known) return known
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
