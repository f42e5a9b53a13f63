import type { ApiRequest } from '../../api/api-request.ts'
import type { JsonObject } from '../../schema/json.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { type Content, html } from '../components/html.ts'
import { panel } from '../components/panel.ts'
import { translate } from '../texts/translate.ts'
import { codeView } from './code-view.ts'

/** Characters of a file that its page shows. */
const SHOWN = 200_000

/** The content of a data file, which the sender may view. */
export async function filePart({ service }: ApiRequest, { id }: JsonObject): Promise<Content> {
  const [row] = await service.database.query<{ data: string }>(
    sql`select t.data from ${table(SYSTEM.dataFile)} t where t.id = ${Number(id)}::bigint`,
  )
  const bytes = Buffer.from(row?.data ?? '', 'base64')
  const text = bytes.toString('utf8')
  const isText = !text.includes('\uFFFD') && !text.includes('\0')
  if (!isText)
    return panel(
      translate('Content'),
      html`<p class="muted">${translate('This file is not a text.')}</p>`,
    )
  const more =
    text.length > SHOWN && html`<p class="muted">${translate('Only the first part is shown.')}</p>`
  return panel(translate('Content'), html`${codeView(text.slice(0, SHOWN))}${more}`)
}
