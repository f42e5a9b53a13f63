import type { Difference } from './difference.ts'
import { type Client, textOf } from './http-client.ts'
import type { Json } from './json.ts'

/** A text that was sent to an import form, and its result. */
export interface ImportRecording {
  /** `dcim/sites`. */
  readonly model: string
  readonly case: string
  readonly data: string
  /** 302: everything was imported; 200: a page with errors. */
  readonly status: number
  readonly messages: readonly string[]
}

/**
 * Objects that recorded texts name and that no recording of this directory creates, because the imports that create
 * them are stored elsewhere.
 */
const NAMED: readonly {
  readonly name: string
  readonly path: string
  readonly body: Json
}[] = [
  { name: 'ImpR', path: 'dcim/regions', body: { name: 'ImpR', slug: 'impr' } },
  { name: 'ImpM', path: 'dcim/manufacturers', body: { name: 'ImpM', slug: 'impm' } },
  { name: 'ImpRole', path: 'dcim/device-roles', body: { name: 'ImpRole', slug: 'improle' } },
  { name: 'ImpCT', path: 'circuits/circuit-types', body: { name: 'ImpCT', slug: 'impct' } },
  {
    name: 'ImpCl',
    path: 'virtualization/clusters',
    body: { name: 'ImpCl', type: { name: 'ImpCTy' } },
  },
  {
    name: 'impvm',
    path: 'virtualization/virtual-machines',
    body: { name: 'impvm', cluster: { name: 'ImpCl' } },
  },
  {
    name: 'eth0',
    path: 'dcim/interfaces',
    body: { device: { name: 'impdev' }, name: 'eth0', type: '1000base-t' },
  },
]

/** Id of a case, unique among imports. */
export const importId = ({ model, case: name }: ImportRecording): string => `import ${model} ${name}`

/**
 * Creates the objects that the text of a case names in a separate column. Objects that already exist, or that cannot be
 * created yet, are skipped; the errors of the import then say what is missing.
 */
export async function createNamed(recording: ImportRecording, client: Client): Promise<void> {
  const cells = recording.data.split(/[\n,;]/)
  for (const { name, path, body } of NAMED) {
    if (path === recording.model || !cells.includes(name)) continue
    await client.send({
      method: 'POST',
      path: `/api/${path}/`,
      headers: { 'Content-Type': 'application/json' },
      body: Buffer.from(JSON.stringify(body)),
    })
  }
}

/** Sends the text to the import page. Differences: refused instead of accepted, or the reverse. */
export async function runImport(
  { model, data, status, messages }: ImportRecording,
  client: Client,
): Promise<readonly Difference[]> {
  const answer = await client.send({
    method: 'POST',
    path: `/${model}/import/`,
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', Accept: 'text/html' },
    body: Buffer.from(new URLSearchParams({ data, format: 'auto' }).toString()),
  })
  const isAccepted = answer.status === 302 || answer.status === 303
  const isRefused = answer.status === 400
  if (!isAccepted && !isRefused) {
    return [{ cause: `status ${answer.status}`, actual: textOf(answer).slice(0, 200) }]
  }
  if (isAccepted === (status === 302)) return []
  return isAccepted
    ? [{ cause: 'accepted where the reference refuses', expected: messages.join(' ') }]
    : [{ cause: 'refused where the reference accepts', actual: errorsOf(textOf(answer)) }]
}

/** The errors that a page shows, without markup. */
const errorsOf = (page: string): string =>
  [...page.matchAll(/<strong class="cell-error">(.*?)<\/strong>/g)]
    .map(([, text = '']) => text)
    .join(' ')
    .slice(0, 200)
