import type { ImportReport } from './import-directory.ts'

/** Features that this version stores and shows but does not act on, by endpoint. */
const WITHOUT_EFFECT: ReadonlyMap<string, string> = new Map([
  ['extras/scripts', 'they run once their files are in SCRIPTS_ROOT, under the same names (--scripts copies them)'],
  ['core/jobs', 'they are a record: none of them is run'],
])

/** One line for each collection of the import whose objects have no effect: `extras/scripts (3): …`. */
export const withoutEffect = ({
  imported,
  scriptRules,
}: Pick<ImportReport, 'imported' | 'scriptRules'>): readonly string[] => [
  ...(scriptRules > 0
    ? [`extras/event-rules (${scriptRules}): rules that run a script do nothing until its file is in SCRIPTS_ROOT`]
    : []),
  ...imported.flatMap(({ endpoint, rows }) => {
    const effect = WITHOUT_EFFECT.get(endpoint)
    return effect === undefined || rows === 0 ? [] : [`${endpoint} (${rows}): ${effect}`]
  }),
]
