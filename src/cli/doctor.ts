import { styleText } from 'node:util'
import { Command } from 'commander'
import { loadApplication, registryIn } from '../app/core.ts'
import { readSettings } from '../config/settings.ts'
import { counted } from '../transfer/backup/counted.ts'
import { checkNames } from './doctor/configuration.ts'
import { examine } from './doctor/doctor.ts'
import type { Finding } from './doctor/finding.ts'
import { JSON_OPTION, printJson } from './output.ts'

/** Reports problems with advice. The exit code is 1 when there is one. */
export const doctorCommand = new Command('doctor')
  .description(
    'Check configuration, database, files and clock, with advice. The exit status is 1 if there is a problem.',
  )
  .option(...JSON_OPTION)
  .action(async ({ json }: { readonly json?: true }) => {
    const findings = [...checkNames(process.env), ...(await examineProgram())]
    const problems = findings.filter(({ state }) => state === 'problem').length
    const warnings = findings.filter(({ state }) => state === 'warning').length
    if (json) printJson({ problems, warnings, findings })
    else {
      for (const finding of findings) console.log(written(finding))
      console.log(`${counted(problems, 'problem')}, ${counted(warnings, 'warning')}.`)
    }
    if (problems > 0) process.exitCode = 1
  })

async function examineProgram(): Promise<readonly Finding[]> {
  const settings = readSettings(process.env)
  const application = await loadApplication(settings)
  return await examine(settings, (queryable) => registryIn(queryable, application), application.steps)
}

const MARKS = {
  ok: ['green', 'ok      '],
  warning: ['yellow', 'WARNING '],
  problem: ['red', 'PROBLEM '],
} as const satisfies Readonly<Record<Finding['state'], readonly [color: string, text: string]>>

function written({ subject, state, text, advice }: Finding): string {
  const [color, mark] = MARKS[state]
  // Without colours where the output is no terminal, or NO_COLOR is set.
  const line = `${styleText(color, mark)} ${subject}: ${text}`
  return advice === undefined ? line : `${line}\n          ${advice}`
}
