import { isList, isObject, type Json, type JsonObject } from './json.ts'
import { fieldNames, resolved } from './openapi-schema.ts'
import type { Outcome } from './outcome.ts'
import { resourceOf } from './resources.ts'

/** What a missing thing is called in the report. */
export type PromiseKind =
  | 'paths'
  | 'methods'
  | 'query parameters'
  | 'response fields'
  | 'request fields'

/** One thing that clients find in an OpenAPI document. */
export interface DocumentPromise {
  readonly kind: PromiseKind
  readonly path: string
  /** `openapi METHOD path …`, the same in every document that makes the promise. */
  readonly id: string
  /** The thing in the words of the report. */
  readonly text: string
  /** What it belongs to, and is missing with. */
  readonly within: DocumentPromise | undefined
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options', 'trace']

/** Everything that the document says there is: paths, their methods, and what those take and give. */
export function promisesOf(document: JsonObject): DocumentPromise[] {
  const paths = isObject(document.paths) ? Object.entries(document.paths) : []
  return paths.flatMap(([template, part]) => {
    const item = resolved(document, part) ?? {}
    // Names in the path are for those who read; what clients send is the same.
    const path = template.replaceAll(/\{\w+\}/g, '{id}')
    const own: DocumentPromise = {
      kind: 'paths',
      path,
      id: `openapi ${path}`,
      text: `path ${path}`,
      within: undefined,
    }
    return [own, ...METHODS.flatMap((method) => ofMethod(document, own, item, method))]
  })
}

function ofMethod(
  document: JsonObject,
  within: DocumentPromise,
  item: JsonObject,
  name: string,
): DocumentPromise[] {
  const operation = resolved(document, item[name])
  if (!operation) return []
  const { path } = within
  const method = name.toUpperCase()
  const own: DocumentPromise = {
    kind: 'methods',
    path,
    id: `openapi ${method} ${path}`,
    text: `method ${method}`,
    within,
  }
  const sent = resolved(document, operation.requestBody)?.content
  return [
    own,
    ...queryParameters(document, [item.parameters, operation.parameters]).map(
      (parameter): DocumentPromise => ({
        kind: 'query parameters',
        path,
        id: `${own.id} query ${parameter}`,
        text: `query parameter ${parameter}`,
        within: own,
      }),
    ),
    ...ofFields('request', fieldNames(document, jsonSchema(sent)), own),
    ...ofFields('response', fieldNames(document, answerSchema(document, operation)), own),
  ]
}

function ofFields(
  side: 'request' | 'response',
  names: readonly string[],
  within: DocumentPromise,
): DocumentPromise[] {
  const made = new Map<string, DocumentPromise>()
  // An object before its fields, which are missing with it.
  for (const name of names.toSorted()) {
    const outer = made.get(name.slice(0, Math.max(0, name.lastIndexOf('.'))))
    made.set(name, {
      kind: `${side} fields`,
      path: within.path,
      id: `${within.id} ${side} ${name}`,
      text: `${side} field ${name}`,
      within: outer ?? within,
    })
  }
  return [...made.values()]
}

function queryParameters(
  document: JsonObject,
  lists: readonly (Json | undefined)[],
): readonly string[] {
  const parameters = lists
    .flatMap((list) => (isList(list) ? list : []))
    .map((parameter) => resolved(document, parameter))
  return parameters.flatMap((each) =>
    each?.in === 'query' && typeof each.name === 'string' ? [each.name] : [],
  )
}

/** Schema of the body where things go well. */
function answerSchema(document: JsonObject, { responses }: JsonObject): Json | undefined {
  const found = Object.entries(isObject(responses) ? responses : {}).find(([status]) =>
    /^2/.test(status),
  )
  return jsonSchema(resolved(document, found?.[1])?.content)
}

function jsonSchema(content: Json | undefined): Json | undefined {
  if (!isObject(content)) return undefined
  const types = Object.keys(content)
  const media = content[types.find((type) => type.includes('json')) ?? types[0] ?? '']
  return isObject(media) ? media.schema : undefined
}

/** Outcomes of all promises: kept, or missing, alone or with what they belong to. */
export function comparePromises(
  wanted: readonly DocumentPromise[],
  found: readonly DocumentPromise[],
): Outcome[] {
  const kept = new Set(found.map(({ id }) => id))
  return wanted.map((each) => {
    let missing = kept.has(each.id) ? undefined : each
    while (missing?.within && !kept.has(missing.within.id)) missing = missing.within
    return {
      part: 'openapi',
      id: each.id,
      resource: resourceOf(each.path),
      kind: each.kind,
      context: 'openapi',
      differences: missing ? [{ cause: `${missing.text} is missing` }] : [],
    }
  })
}
