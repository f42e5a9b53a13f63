import { isJsonObject, type JsonObject } from '../../schema/json.ts'
import { firstCharacters } from '../../schema/shortened.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { panel } from '../components/panel.ts'
import { EMPTY, timestampDisplay } from '../components/value.ts'
import type { ObjectPart } from '../frame/object-content.ts'
import { type Content, type Html, html } from '../html.ts'
import { codeBlock } from '../object-parts/code-block.ts'
import { translate, translateLabel } from '../texts/translate.ts'

/** Maximum number of characters of a file that its page shows. */
const SHOWN = 200_000

/** The content of a data file, which the sender may view. */
export const filePart: ObjectPart = {
  models: [SYSTEM.dataFile],
  load: async ({ request, object }) => {
    const [row] = await request.service.database.query<{ data: string }>(
      sql`select t.data from ${table(SYSTEM.dataFile)} t where t.id = ${Number(object.id)}::bigint`,
    )
    const text = Buffer.from(row?.data ?? '', 'base64').toString('utf8')
    const isText = !text.includes('\uFFFD') && !text.includes('\0')
    const content = isText
      ? html`${codeBlock(firstCharacters(text, SHOWN))}${text.length > SHOWN && html`<p class="muted">${translate('Only the first part is shown.')}</p>`}`
      : html`<p class="muted">${translate('This file is not a text file.')}</p>`
    return { below: panel(translate('Content'), content) }
  },
}

/** The attempts of a delivery, the oldest first, and the request of the last one. */
export const attemptsPart: ObjectPart = {
  models: [SYSTEM.webhookDelivery],
  load: ({ object: { attempts } }) => {
    const list = Array.isArray(attempts) ? attempts.filter((attempt) => isJsonObject(attempt)) : []
    const request = list.at(-1)?.request
    return list.length === 0
      ? {}
      : {
          below: panel(
            translate('Attempts'),
            html`${attemptTable(list)}${isJsonObject(request) && requestOf(request)}`,
          ),
        }
  },
}

function attemptTable(attempts: readonly JsonObject[]): Content {
  const headings = html`<th scope="col">${translate('Time')}</th><th scope="col">${translateLabel('Status')}</th><th scope="col" class="num">${translate('Duration (ms)')}</th><th scope="col">${translate('Response')}</th>`
  return html`<div class="scroll objects-table" tabindex="0" role="region" aria-label="${translate('Attempts')}"><table><thead><tr>${headings}</tr></thead>
<tbody>${attempts.map(attemptRow)}</tbody></table></div>`
}

/** An attempt without a response has an error. */
const attemptRow = ({ time, status, duration, response, error }: JsonObject): Html =>
  html`<tr><td>${timestampDisplay(String(time))}</td><td>${typeof status === 'number' ? status : EMPTY}</td><td class="num">${String(duration)}</td><td><span class="wrap" dir="auto">${String(error ?? response ?? '')}</span></td></tr>`

const requestOf = (request: JsonObject): Html =>
  html`<details><summary>${translate('Request')}</summary>${codeBlock(JSON.stringify(request, null, 2))}</details>`
