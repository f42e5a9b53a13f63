import { expect, it } from 'vitest'
import { pythonJson } from './python-json.ts'

it.each([
  ['{"a":1,"b":[true,null]}', '{"a": 1, "b": [true, null]}'],
  ['{"2":1.0,"1":"x"}', '{"2": 1.0, "1": "x"}'],
  ['{"a,b:c":"d,e:f\\","}', '{"a,b:c": "d,e:f\\","}'],
  ['{"ü":"日本 \u007f"}', '{"\\u00fc": "\\u65e5\\u672c \\u007f"}'],
  ['"😀\\n\\u001f"', '"\\ud83d\\ude00\\n\\u001f"'],
  ['[]', '[]'],
  ['{}', '{}'],
])('%s is formatted as %s', (json, expected) => {
  expect(pythonJson(json)).toBe(expected)
})
