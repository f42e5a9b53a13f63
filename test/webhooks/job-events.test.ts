import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { receiverOfTest } from '../support/receiver.ts'
import { sceneOfTest } from './scene.ts'

const SCRIPT = `
from dcim.models import Manufacturer
from extras.scripts import Script

class Follow(Script):
    def run(self, data, commit):
        Manufacturer.objects.create(name=f"for {data['name']}", slug=data["slug"])
        return "done"
`

async function sceneWithScript() {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'scripts-')))
  onTestFinished(() => rmSync(root, { recursive: true }))
  writeFileSync(join(root, 'follow.py'), SCRIPT)
  const scene = await sceneOfTest({
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
    SCRIPTS_ROOT: root,
  })
  await scene.settle()
  const { json } = await scene.api.ask('GET', '/api/extras/scripts/')
  return { scene, script: Number(json.results?.[0]?.id) }
}

it('a rule starts a script with the object, and the end of its job is an event for other rules', async () => {
  const { scene, script } = await sceneWithScript()
  const receiver = await receiverOfTest()
  await scene.addWebhook(
    { payload_url: receiver.url },
    { object_types: ['extras.script'], event_types: ['job_started', 'job_completed'] },
  )
  const rule = await scene.api.ask('POST', '/api/extras/event-rules/', {
    body: {
      name: 'follow',
      object_types: ['dcim.site'],
      event_types: ['object_created'],
      action_type: 'script',
      action_object_type: 'extras.script',
      action_object_id: script,
    },
  })
  expect(rule.status).toBe(201)
  await scene.addSite('ams1')
  await scene.settle()

  const { json } = await scene.api.ask('GET', '/api/dcim/manufacturers/')
  expect(json.results).toMatchObject([{ name: 'for ams1' }])
  const bodies = receiver.received.map(({ body }) => JSON.parse(body))
  expect(bodies).toMatchObject([
    { event: 'job_started', object_type: 'extras.script', username: 'admin', request_id: null },
    { event: 'job_ended', object_type: 'extras.script', data: { output: 'done' } },
  ])
  expect(Object.keys(bodies[1])).toEqual(['event', 'timestamp', 'object_type', 'username', 'request_id', 'data'])
})

it('a group is notified of the end of a job', async () => {
  const { scene, script } = await sceneWithScript()
  const group = await scene.api.ask('POST', '/api/extras/notification-groups/', {
    body: { name: 'operators', users: [1] },
  })
  await scene.api.ask('POST', '/api/extras/event-rules/', {
    body: {
      name: 'ended',
      object_types: ['extras.script'],
      event_types: ['job_errored'],
      action_type: 'notification',
      action_object_type: 'extras.notificationgroup',
      action_object_id: group.json.id,
    },
  })
  // Without a name the script cannot create anything.
  await scene.api.ask('POST', `/api/extras/scripts/${script}/`, {
    body: { data: {}, commit: true, notifications: 'never' },
  })
  await scene.settle()
  const { json } = await scene.api.ask('GET', '/api/extras/notifications/')
  expect(json.results).toMatchObject([{ object_type: 'extras.script', object_id: script, event_type: 'job_errored' }])
})
