import { isList, isObject, type Json, type JsonObject } from './json.ts'
import { fieldNames, resolved } from './openapi-schema.ts'
import type { Outcome } from './outcome.ts'
import { resourceOf } from './resources.ts'

/** Kind of a missing element in the report. */
export type PromiseKind = 'paths' | 'methods' | 'query parameters' | 'response fields' | 'request fields'

/** An element of an OpenAPI document that clients rely on. */
export interface DocumentPromise {
  readonly kind: PromiseKind
  readonly path: string
  /** `openapi METHOD path …`, the same in every document with this element. */
  readonly id: string
  /** The element as text for the report. */
  readonly text: string
  /** The parent element, without which this one is missing too. */
  readonly within: DocumentPromise | undefined
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options', 'trace']

/** All elements of a document: paths, their methods, parameters and fields. */
export function promisesOf(document: JsonObject): DocumentPromise[] {
  const paths = isObject(document.paths) ? Object.entries(document.paths) : []
  return paths.flatMap(([template, part]) => {
    const item = resolved(document, part) ?? {}
    // Parameter names in paths are documentation; clients do not send them.
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

function ofMethod(document: JsonObject, within: DocumentPromise, item: JsonObject, name: string): DocumentPromise[] {
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

function ofFields(side: 'request' | 'response', names: readonly string[], within: DocumentPromise): DocumentPromise[] {
  const made = new Map<string, DocumentPromise>()
  // Parents come before their fields, which are missing whenever their parents are.
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

function queryParameters(document: JsonObject, lists: readonly (Json | undefined)[]): readonly string[] {
  const parameters = lists
    .flatMap((list) => (isList(list) ? list : []))
    .map((parameter) => resolved(document, parameter))
  return parameters.flatMap((each) => (each?.in === 'query' && typeof each.name === 'string' ? [each.name] : []))
}

/** Schema of the body of the successful response. */
function answerSchema(document: JsonObject, { responses }: JsonObject): Json | undefined {
  const found = Object.entries(isObject(responses) ? responses : {}).find(([status]) => /^2/.test(status))
  return jsonSchema(resolved(document, found?.[1])?.content)
}

function jsonSchema(content: Json | undefined): Json | undefined {
  if (!isObject(content)) return undefined
  const types = Object.keys(content)
  const media = content[types.find((type) => type.includes('json')) ?? types[0] ?? '']
  return isObject(media) ? media.schema : undefined
}

/** Outcomes of all elements: present, or missing, alone or with their parent. */
export function comparePromises(wanted: readonly DocumentPromise[], found: readonly DocumentPromise[]): Outcome[] {
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
