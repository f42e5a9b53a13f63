import { isJsonObject } from '../../schema/json.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { html } from '../components/html.ts'
import { panel } from '../components/panel.ts'
import { translate } from '../texts/translate.ts'
import { codeBlock } from './code-block.ts'
import type { ObjectPart } from './object-content.ts'

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
      ? html`${codeBlock(text.slice(0, SHOWN))}${text.length > SHOWN && html`<p class="muted">${translate('Only the first part is shown.')}</p>`}`
      : html`<p class="muted">${translate('This file is not a text file.')}</p>`
    return { below: panel(translate('Content'), content) }
  },
}

/** The attempts of a delivery, the oldest first. */
export const attemptsPart: ObjectPart = {
  models: [SYSTEM.webhookDelivery],
  load: ({ object: { attempts } }) => {
    const list = Array.isArray(attempts) ? attempts.filter((attempt) => isJsonObject(attempt)) : []
    if (list.length === 0) return {}
    return {
      below: panel(
        translate('Attempts'),
        html`<ol class="plain">${list.map((attempt) => html`<li><pre class="document" tabindex="0">${JSON.stringify(attempt, null, 2)}</pre></li>`)}</ol>`,
      ),
    }
  },
}
