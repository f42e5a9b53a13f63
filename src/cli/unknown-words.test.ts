import { expect, it } from 'vitest'
import { settingHint, unknownCommand } from './unknown-words.ts'

const commands = ['serve', 'import', 'backup', 'create-superuser']

it.each([
  { word: 'bakup', message: "error: unknown command 'bakup'. Did you mean backup?" },
  {
    word: 'createsuperuser',
    message: "error: unknown command 'createsuperuser'. Did you mean create-superuser?",
  },
  { word: 'nosuchcommand', message: "error: unknown command 'nosuchcommand'." },
])('$word is reported together with the command that was meant', ({ word, message }) => {
  expect(unknownCommand(word, commands)).toBe(message)
})

it.each([
  { option: '--port', hint: 'PORT is an environment variable: PORT=<value> npm start\n' },
  {
    option: '--data-dir=/srv',
    hint: 'DATA_DIR is an environment variable: DATA_DIR=<value> npm start\n',
  },
  { option: '--nosuchflag', hint: '' },
  { option: '-p', hint: '' },
])('for the option $option, the setting of that name is suggested', ({ option, hint }) => {
  expect(settingHint(`error: unknown option '${option}'\n`)).toBe(hint)
})
