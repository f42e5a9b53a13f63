import type { EffectFunction } from '../../schema/rule.ts'
import { nodeOf } from './cabling/cabled-object.ts'
import { retracePaths } from './cabling/retrace.ts'
import type { portMapping } from './port-mapping.ts'

/** Recomputes the paths through ports after their mappings have changed. */
export const retracePortMappings: EffectFunction<typeof portMapping.fields> = ({
  rows,
  database,
}) =>
  retracePaths(
    database,
    rows.flatMap(({ next, previous }) =>
      [next, previous].flatMap((row) =>
        row
          ? [nodeOf('dcim.frontport', row.front_port), nodeOf('dcim.rearport', row.rear_port)]
          : [],
      ),
    ),
  )
