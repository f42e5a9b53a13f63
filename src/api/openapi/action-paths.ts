import type { JsonObject } from '../../schema/json.ts'
import { ACTION_TEXTS } from './action-texts.ts'
import { operation } from './model-paths.ts'
import { operationPrefix } from './names.ts'
import { FIELD_PARAMETERS, ID_PARAMETER } from './query-parameters.ts'

/** The parts of an action's method that this document describes; src/api/actions/action.ts has the whole type. */
interface DescribedOperation {
  readonly parameters?: readonly JsonObject[]
  readonly body?: JsonObject
  readonly takesFile?: boolean
  readonly hasDryRun?: boolean
  readonly answer?: JsonObject
  readonly otherTypes?: readonly string[]
  readonly status?: 201 | 204
  readonly verb?: string
  readonly summary?: string
}

/** An endpoint beyond create, read, update and delete. */
export interface DescribedAction {
  /** Path below /api/ without slashes at the ends, `:name` for a parameter. */
  readonly path: string
  readonly description?: string
  readonly offersText?: boolean
  readonly methods: Readonly<Record<string, DescribedOperation | undefined>>
}

const VERBS: Readonly<Record<string, string>> = {
  GET: 'retrieve',
  POST: 'create',
  PUT: 'update',
  PATCH: 'partial_update',
  DELETE: 'destroy',
}

/** Path items of actions, by path. `inBranch`: the parameters that select a branch, by the path of an action. */
export const actionPaths = (
  actions: readonly DescribedAction[],
  inBranch: (path: string) => readonly JsonObject[],
): Record<string, JsonObject> =>
  Object.fromEntries(
    actions.map((action) => [
      `/api/${action.path.replaceAll(PARAMETER, '{$1}')}/`,
      pathItem(action, inBranch(action.path)),
    ]),
  )

const PARAMETER = /:(\w+)/g

function pathItem(action: DescribedAction, inBranch: readonly JsonObject[]): JsonObject {
  const { path, offersText, methods } = action
  const [tag = ''] = path.split('/')
  const prefix = operationPrefix(path.replaceAll(/\/:\w+/g, ''))
  const inPath = [...path.matchAll(PARAMETER)].map(([, name = '']) => pathParameter(name))
  return Object.fromEntries(
    Object.entries(methods).flatMap(([method, described]) => {
      if (!described) return []
      const { parameters = [], body, takesFile, answer, status = 200, verb } = described
      const general = [...(method === 'GET' ? FIELD_PARAMETERS : []), ...inBranch]
      const declaredNames = new Set(parameters.map(({ name }) => name))
      const all = [...general.filter(({ name }) => !declaredNames.has(name ?? '')), ...inPath, ...parameters]
      const isList = method === 'GET' && answer?.type === 'array'
      const id = `${prefix}_${verb ?? (isList ? 'list' : VERBS[method])}`
      const item = operation({
        id,
        summary: described.summary ?? summaryOf(path, method, isList),
        description: action.description ?? ACTION_TEXTS[`${method} ${lastWord(path)}`],
        tag,
        ...(all.length > 0 && { parameters: all }),
        ...(body && { body, form: takesFile ? body : undefined }),
        status,
        hasDryRun: described.hasDryRun,
        ...(answer && { answer }),
        otherTypes: [...(described.otherTypes ?? []), ...(offersText ? ['text/plain'] : [])],
      })
      return [[method.toLowerCase(), item]]
    }),
  )
}

const SUMMARY_VERBS: Readonly<Record<string, string>> = {
  GET: 'get',
  PUT: 'replace',
  PATCH: 'change',
  DELETE: 'delete',
}

/** `List paths`, `Render config`: the last word of the path, which is a verb if it can be posted to. */
function summaryOf(path: string, method: string, isList: boolean): string {
  const words = lastWord(path)
    .replaceAll('-', ' ')
    .replace(/\b(ip|vlan|asn)s\b/g, (word) => abbreviated(word))
  const verb = isList ? 'list' : (SUMMARY_VERBS[method] ?? '')
  const text = words.startsWith('available ') && verb === '' ? `allocate ${words}` : `${verb} ${words}`
  return text.trimStart().replace(/^[a-z]/, (letter) => letter.toUpperCase())
}

const lastWord = (path: string): string => path.split('/').findLast((segment) => !segment.startsWith(':')) ?? ''

/** `IPs` for `ips`. */
const abbreviated = (plural: string): string => `${plural.slice(0, -1).toUpperCase()}s`

const pathParameter = (name: string): JsonObject =>
  name === 'id' ? ID_PARAMETER : { in: 'path', name, required: true, schema: { type: 'string' } }
