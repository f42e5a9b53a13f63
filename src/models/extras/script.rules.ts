import type { JsonObject } from '../../schema/json.ts'
import { behaviour, type EmbeddedRow } from '../../schema/rule.ts'
import { script } from './script.ts'

const MODULE = /\(([^()]+)\)$/

/** The file of a script; its name occurs only in the display of the script. */
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
