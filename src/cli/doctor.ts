import { Command } from 'commander'
import { loadApplication, modelRegistry } from '../app/core.ts'
import { readSettings } from '../config/settings.ts'
import { counted } from '../transfer/backup/counted.ts'
import { checkNames } from './doctor/configuration.ts'
import { examine } from './doctor/doctor.ts'
import type { Finding } from './doctor/finding.ts'

/** Reports problems with advice. The exit code is 1 when there is one. */
export const doctorCommand = new Command('doctor')
  .description('examine configuration, database, files and clock, and say what to do')
  .action(async () => {
    const findings = [...checkNames(process.env), ...(await examineProgram())]
    for (const finding of findings) console.log(written(finding))
    const problems = findings.filter(({ state }) => state === 'problem').length
    const warnings = findings.filter(({ state }) => state === 'warning').length
    console.log(`${counted(problems, 'problem')}, ${counted(warnings, 'warning')}.`)
    if (problems > 0) process.exitCode = 1
  })

async function examineProgram(): Promise<readonly Finding[]> {
  const settings = readSettings(process.env)
  const application = await loadApplication(settings)
  return await examine(settings, modelRegistry(application), application.steps)
}

const MARKS: Readonly<Record<Finding['state'], string>> = {
  ok: 'ok      ',
  warning: 'WARNING ',
  problem: 'PROBLEM ',
}

function written({ subject, state, text, advice }: Finding): string {
  const line = `${MARKS[state]} ${subject}: ${text}`
  return advice === undefined ? line : `${line}\n          ${advice}`
}
