import { Command } from 'commander'
import { describeConfiguration } from '../config/describe.ts'

/** Prints every configuration name with its default and meaning. */
export const configurationCommand = new Command('configuration')
  .description('Print every setting with its default and meaning, as Markdown.')
  .action(() => void process.stdout.write(describeConfiguration()))
