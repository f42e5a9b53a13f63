import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Api, startApi } from '../support/api.ts'

/** Deletes a site, or says what protects it, as far as Python's error tells; and asks what a query set around others sees. */
const FILE = `
from django.db.models import Count, Exists, OuterRef, ProtectedError, Subquery, Window
from dcim.models import Device, Rack, Site
from extras.scripts import Script, StringVar

class Remove(Script):
    site = StringVar()

    def run(self, data, commit):
        try:
            return str(Site.objects.get(slug=data["site"]).delete())
        except ProtectedError as error:
            objects = sorted((one._model, one.pk, str(one)) for one in error.protected_objects)
            return {"objects": objects, "text": str(error.args[0])}

class Look(Script):
    def run(self, data, commit):
        devices = Device.objects.filter(site=OuterRef("pk")).order_by("-name")
        sites = Site.objects.order_by("slug").annotate(name_of=Subquery(devices.values("name")[:1]), x=Exists(devices))
        window = Device.objects.annotate(n=Window(Count("pk"))).values_list("n", flat=True)
        try:
            racks = Site.objects.filter(Exists(Rack.objects.filter(site=OuterRef("pk")))).count()
        except Exception as error:
            racks = str(error)
        return {"sites": [[one.slug, one.name_of, one.x] for one in sites], "window": list(window), "racks": racks}
`

describe('a Python script of a person who may not view everything', () => {
  let api: Api
  let token: string
  const ids: Record<string, number> = {}
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'python-permissions-')))
  beforeAll(async () => {
    writeFileSync(join(root, 'removal.py'), FILE)
    api = await startApi({ SCRIPTS_ROOT: root, API_VERSION: '4.7', LOG_LEVEL: 'fatal' })
    await api.background.runUntilIdle()
    const named = { name: 'X', slug: 'x' }
    const manufacturer = await api.make('dcim/manufacturers', named)
    const type = await api.make('dcim/device-types', { manufacturer, model: 'X', slug: 'x' })
    const role = await api.make('dcim/device-roles', named)
    for (const slug of ['mixed', 'hidden', 'hidden-racks'])
      ids[slug] = await api.make('dcim/sites', { name: slug, slug })
    const device = (name: string, site: string) =>
      api.make('dcim/devices', { name, site: ids[site], device_type: type, role })
    for (const [name, site] of [
      ['open-1', 'mixed'],
      ['secret-1', 'mixed'],
      ['secret-2', 'hidden'],
    ] as const) {
      ids[name] = await device(name, site)
    }
    ids.rack = await api.make('dcim/racks', { name: 'secret-rack', site: ids['hidden-racks'] })
    const user = await api.make('users/users', { username: 'limited', password: 'A-long-password-1' })
    const permit = (name: string, actions: readonly string[], types: readonly string[], constraints: object | null) =>
      api.make('users/permissions', { name, actions, object_types: types, constraints, users: [user] })
    await permit('scripts', ['view', 'run'], ['extras.script'], null)
    await permit('sites', ['view', 'delete'], ['dcim.site'], null)
    await permit('devices', ['view'], ['dcim.device'], { name__startswith: 'open' })
    token = String((await api.ask('POST', '/api/users/tokens/', { body: { user } })).json.key)
  })
  afterAll(async () => {
    await api.close()
    rmSync(root, { recursive: true })
  })

  it('sees nothing more in subqueries and windows', async () => {
    await api.ask('POST', '/api/extras/scripts/removal.Look/', { body: { data: {}, commit: false }, token })
    await api.background.runUntilIdle()
    const [job] = (await api.ask('GET', '/api/core/jobs/?ordering=-id&limit=1')).json.results ?? []
    expect(job?.data?.output, JSON.stringify(job)).toEqual({
      sites: [
        ['hidden', null, false],
        ['hidden-racks', null, false],
        ['mixed', 'open-1', true],
      ],
      window: [1],
      racks: expect.stringMatching(/may not view racks/),
    })
  })

  it.each<[string, string, readonly string[]]>([
    ['names the visible objects that protect another one, and no hidden ones', 'mixed', ['open-1']],
    ['learns nothing of hidden objects that protect another one', 'hidden', []],
    ['learns nothing of hidden objects of a kind that it may not view', 'hidden-racks', []],
  ])('%s', async (_what, site, visible) => {
    const body = { data: { site }, commit: true }
    const { status, text } = await api.ask('POST', '/api/extras/scripts/removal.Remove/', { body, token })
    expect(status, text).toBe(200)
    await api.background.runUntilIdle()
    // The person may not view jobs.
    const [job] = (await api.ask('GET', '/api/core/jobs/?ordering=-id&limit=1')).json.results ?? []
    expect(job, text).toMatchObject({ status: { value: 'completed' } })
    const output = job?.data?.output
    expect(output).toMatchObject({ objects: visible.map((name) => ['dcim.device', ids[name], name]) })
    // Neither names nor ids of hidden objects, nor the fields by which they refer to the site.
    expect(JSON.stringify(output)).not.toMatch(visible.length > 0 ? /secret/ : /secret|Device|Rack|#?\d/)
  })
})
