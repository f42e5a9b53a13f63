import { sql } from '../../../sql/fragment.ts'
import { table } from '../../../sql/table.ts'
import type { ActionRequest } from '../action.ts'

const NAME = /^([^.]+)\.(.+)$/

/** The request with the script's id in place of `<file without extension>.<name>`; as it is where no script has that name. */
export async function withScriptId(request: ActionRequest): Promise<ActionRequest> {
  const [, module, name] = NAME.exec(decoded(request.parameters[0] ?? '')) ?? []
  if (module === undefined || name === undefined) return request
  const [script] = await request.service.database.query<{ id: number }>(sql`
    select s.id from ${table('extras.script')} s join ${table('extras.scriptmodule')} m on m.id = s.module_id
    where s.name = ${name} and regexp_replace(m.file_path, '\\.[^.]*$', '') = ${module}`)
  return script ? { ...request, parameters: [String(script.id)] } : request
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
