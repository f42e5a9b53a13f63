import { isJsonObject } from '../../schema/json.ts'
import type { Refusal } from '../../schema/rule.ts'

/** Parameters of a template engine's environment that a template may set. NetBox 4.6.8 extras/constants.py. */
const PARAMETERS: ReadonlySet<string> = new Set([
  'auto_reload',
  'autoescape',
  'block_end_string',
  'block_start_string',
  'cache_size',
  'comment_end_string',
  'comment_start_string',
  'enable_async',
  'keep_trailing_newline',
  'line_comment_prefix',
  'line_statement_prefix',
  'lstrip_blocks',
  'newline_sequence',
  'optimized',
  'trim_blocks',
  'undefined',
  'variable_end_string',
  'variable_start_string',
])

/** Values for undefined names in the context. */
const UNDEFINED: ReadonlySet<unknown> = new Set([
  'jinja2.ChainableUndefined',
  'jinja2.DebugUndefined',
  'jinja2.StrictUndefined',
  'jinja2.Undefined',
])

/** Other parameters could make the engine load code. */
export const parametersAreAllowed = ({
  next,
}: {
  readonly next: { readonly environment_params: unknown }
}): Refusal | undefined => {
  const { environment_params: parameters } = next
  if (!parameters) return
  if (!isJsonObject(parameters)) {
    return { environment_params: 'Parameters must be an object of values by name.' }
  }
  for (const [name, value] of Object.entries(parameters)) {
    if (!PARAMETERS.has(name)) {
      return { environment_params: `A template may not set the parameter "${name}".` }
    }
    if (name === 'undefined' && !UNDEFINED.has(value)) {
      return { environment_params: `"undefined" is one of ${[...UNDEFINED].join(', ')}.` }
    }
  }
  return
}
