import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Api, startApi } from '../support/api.ts'

/** Answers with an expression that reads, and writes nothing. */
const SCRIPT = `
from dcim.models import Region, Site
from django.db.models import Count, F
from extras.scripts import Script, StringVar

class Read(Script):
    expression = StringVar()

    def run(self, data, commit):
        return eval(data["expression"])
`
const VALIDATOR = `
from extras.validators import CustomValidator
from dcim.models import Region

class FullRegions(CustomValidator):
    def validate(self, instance, request):
        if instance.region and instance.region.sites.count() >= 2:
            self.fail(f"{instance.region} is full.")
`

describe('Python in a branch', () => {
  let api: Api
  let headers: Record<string, string>
  let north: number
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'python-branches-')))
  beforeAll(async () => {
    writeFileSync(join(root, 'reading.py'), SCRIPT)
    mkdirSync(join(root, 'rules'))
    writeFileSync(join(root, 'rules', 'sites.py'), VALIDATOR)
    api = await startApi({
      ...{ SCRIPTS_ROOT: root, CUSTOM_VALIDATORS: JSON.stringify({ 'dcim.site': ['rules.sites.FullRegions'] }) },
    })
    await api.background.runUntilIdle()
    north = await api.make('dcim/regions', { name: 'North', slug: 'north' })
    const main = await api.make('dcim/sites', { name: 'Main', slug: 'main', region: north })
    const { json } = await api.ask('POST', '/api/core/branches/', { body: { name: 'Work' } })
    headers = { 'x-netbox-branch': String(json.schema_id) }
    const write = (method: string, path: string, body: object) => api.ask(method, path, { body, headers })
    expect((await write('PATCH', `/api/dcim/sites/${main}/`, { facility: 'changed' })).status).toBe(200)
    const added = await write('POST', '/api/dcim/sites/', { name: 'Added', slug: 'added', region: north })
    expect(added.status, added.text).toBe(201)
  })
  afterAll(async () => {
    await api.close()
    rmSync(root, { recursive: true })
  })

  const read = async (expression: string, options: { readonly headers?: Record<string, string> }) => {
    const body = { data: { expression }, commit: true }
    const { json, text } = await api.ask('POST', '/api/extras/scripts/reading.Read/', { body, ...options })
    await api.background.runUntilIdle()
    const job = (await api.ask('GET', `/api/core/jobs/${json.result?.id}/`)).json
    expect(job.status?.value, `${text} ${JSON.stringify(job.data)}`).toBe('completed')
    return job.data?.output
  }

  it.each<[string, string, unknown, unknown]>([
    ['objects', `[site.facility for site in Site.objects.filter(slug="main")]`, ['changed'], ['']],
    ['numbers', `Site.objects.count()`, 2, 1],
    ['values', `list(Site.objects.order_by("slug").values_list("slug", flat=True))`, ['added', 'main'], ['main']],
    ['figures', `Region.objects.annotate(n=Count("sites")).first().n`, 2, 1],
    ['conditions', `Site.objects.exclude(slug=F("facility")).filter(facility="changed").exists()`, true, false],
    ['related objects', `[site.slug for site in Region.objects.first().sites.all()]`, ['added', 'main'], ['main']],
    ['permissions', `Site.objects.restrict(self.request.user, "change").count()`, 2, 1],
  ])('reads %s of the branch before it has written', async (_what, expression, inBranch, onMain) => {
    expect(await read(expression, { headers })).toEqual(inBranch)
    expect(await read(expression, {})).toEqual(onMain)
  })

  it('renders templates with what the branch has', async () => {
    const body = {
      ...{ name: 'Sites', object_types: ['dcim.region'] },
      template_code: `{% for region in queryset %}{{ region.sites.all()|map(attribute="facility")|join(",") }}{% endfor %}`,
    }
    await api.make('extras/export-templates', body)
    const path = '/api/dcim/regions/?export=Sites'
    expect((await api.ask('GET', path, { headers })).text).toBe(',changed')
    expect((await api.ask('GET', path)).text).toBe('')
  })

  it('judges an object by what the branch has', async () => {
    const body = { name: 'Third', slug: 'third', region: north }
    const { status, json } = await api.ask('POST', '/api/dcim/sites/', { body, headers })
    expect([status, json]).toEqual([400, { __all__: ['North is full.'] }])
    expect((await api.ask('POST', '/api/dcim/sites/', { body })).status).toBe(201)
  })
})
