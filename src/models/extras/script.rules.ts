import type { JsonObject } from '../../schema/json.ts'
import { behaviour, type EmbeddedRow } from '../../schema/rule.ts'
import { script } from './script.ts'

const MODULE = /\(([^()]+)\)$/

/** The file that a script is in, whose name stands in the display of the script and nowhere else. */
function unfoldModule({ module, display }: JsonObject): readonly EmbeddedRow[] {
  const name = typeof display === 'string' ? MODULE.exec(display)?.[1] : undefined
  if (typeof module !== 'number' || name === undefined) return []
  const row = {
    id: module,
    file_path: `${name}.py`,
    file_root: 'scripts',
    created: new Date().toISOString(),
  }
  return [{ model: 'extras.scriptmodule', row }]
}

export const scriptBehaviour = behaviour(script, { unfold: unfoldModule })
