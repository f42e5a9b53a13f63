import type { Registry } from '../schema/registry.ts'
import { type DocumentOptions, openApiDocument } from './document.ts'
import { toYaml } from './yaml.ts'

/** The document as text, each form made when it is first asked for and then kept. */
export interface OpenApiTexts {
  json(): string
  yaml(): string
}

export function openApiTexts(registry: Registry, options: DocumentOptions): OpenApiTexts {
  let json: string | undefined
  let yaml: string | undefined
  return {
    json: () => {
      json ??= JSON.stringify(openApiDocument(registry, options))
      return json
    },
    yaml: () => {
      yaml ??= toYaml(openApiDocument(registry, options))
      return yaml
    },
  }
}
