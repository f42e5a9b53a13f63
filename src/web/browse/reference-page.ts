import { type Content, type Html, html } from '../components/html.ts'
import { layout } from '../frame/layout.ts'
import type { Crumb, Viewer } from '../frame/page.ts'
import { type HierarchyGroup, hierarchy } from './hierarchy.ts'

/** A field of a body or a response, or a parameter. */
export interface FieldRow {
  readonly name: string
  readonly type: string
  readonly isRequired: boolean
  /** Limits and allowed values. */
  readonly notes: string
}

/** One method at one path. */
export interface OperationText {
  readonly method: string
  readonly path: string
  readonly description: string
  readonly parameters: readonly FieldRow[]
  readonly body: readonly FieldRow[]
  readonly answer: readonly FieldRow[]
}

/** Documentation of one resource. */
export interface ResourceText {
  readonly title: string
  /** URL of its pages, with the base path. */
  readonly address: string
  readonly operations: readonly OperationText[]
  readonly filters: readonly FieldRow[]
  readonly body: readonly FieldRow[]
  readonly answer: readonly FieldRow[]
  /** Operations beyond create, read, update and delete, each with its own section. */
  readonly actions: readonly OperationText[]
}

interface Frame {
  readonly basePath: string
  readonly address: string
  readonly viewer: Viewer | undefined
  readonly breadcrumbs: readonly Crumb[]
}

const STYLES = { styles: ['related.css', 'reference.css'] } as const

/** The table of contents. */
export const referenceIndex = (frame: Frame, groups: readonly HierarchyGroup[]): string =>
  layout({
    ...frame,
    ...STYLES,
    title: 'Reference',
    body: html`<h1>Reference</h1>
<p class="muted">Operations, fields and filters of each resource. The same as a document for programs:
<a href="${frame.basePath}/api/schema/?format=json">OpenAPI</a>; to be tried out:
<a href="${frame.basePath}/api/schema/swagger-ui/">documentation</a>.</p>
${hierarchy(groups)}`,
  })

/** The page of a resource. */
export const referencePage = (frame: Frame, resource: ResourceText): string =>
  layout({
    ...frame,
    ...STYLES,
    title: `${resource.title}, reference`,
    body: html`<h1>${resource.title}</h1>
<p><a href="${resource.address}">Browse</a></p>
<nav class="contents" aria-label="On this page"><ul>${contents(resource).map(
      ([id, label]) => html`<li><a href="#${id}">${label}</a></li>`,
    )}</ul></nav>
<section class="card" id="operations"><h2>Operations</h2>${operationList(resource.operations)}</section>
${fieldSection('answer', 'Fields of the response', resource.answer)}
${fieldSection('body', 'Fields of a request body', resource.body)}
${fieldSection('filters', 'Filters and other parameters', resource.filters)}
${resource.actions.map(actionSection)}`,
  })

function contents(resource: ResourceText): (readonly [id: string, label: string])[] {
  const { answer, body, filters, actions } = resource
  return [
    ['operations', 'Operations'],
    ...(answer.length > 0 ? [['answer', 'Answer'] as const] : []),
    ...(body.length > 0 ? [['body', 'Body'] as const] : []),
    ...(filters.length > 0 ? [['filters', 'Filters'] as const] : []),
    ...actions.map((action) => [idOf(action), `${action.method} ${action.path}`] as const),
  ]
}

const idOf = ({ method, path }: OperationText): string =>
  `${method}${path}`.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')

const operationList = (operations: readonly OperationText[]): Html =>
  html`<ul class="operations">${operations.map(
    (operation) =>
      html`<li>${operationName(operation)} <span class="muted">${operation.description}</span></li>`,
  )}</ul>`

const operationName = ({ method, path }: OperationText): Html =>
  html`<code><strong>${method}</strong> ${path}</code>`

const actionSection = (
  operation: OperationText,
): Html => html`<section class="card" id="${idOf(operation)}">
<h2>${operationName(operation)}</h2>
${operation.description !== '' && html`<p>${operation.description}</p>`}
${fieldTable('Parameters', operation.parameters)}${fieldTable('Body', operation.body)}${fieldTable('Answer', operation.answer)}
</section>`

const fieldSection = (id: string, title: string, rows: readonly FieldRow[]): Content =>
  rows.length > 0 &&
  html`<section class="card" id="${id}"><h2>${title}</h2>${fieldTable(title, rows, true)}</section>`

const fieldTable = (title: string, rows: readonly FieldRow[], isTitled = false): Content =>
  rows.length > 0 &&
  html`<div class="scroll" tabindex="0" role="region" aria-label="${title}"><table>
${!isTitled && html`<caption>${title}</caption>`}
<thead><tr><th scope="col">Name</th><th scope="col">Type</th><th scope="col">Notes</th></tr></thead>
<tbody>${rows.map(
    ({ name, type, isRequired, notes }) =>
      html`<tr><th scope="row"><code>${name}</code>${isRequired && html` <span class="required">required</span>`}</th><td>${type}</td><td>${notes}</td></tr>\n`,
  )}</tbody></table></div>`
