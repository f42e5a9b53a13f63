import { type Content, type Html, html } from '../html.ts'
import { currentLanguage } from '../texts/language.ts'
import { scriptTexts, translate } from '../texts/translate.ts'
import { banner, topBanner } from './banners.ts'
import { header } from './header.ts'
import type { Page, PageRequest } from './page.ts'
import { sidebar } from './sidebar.ts'
import { staticUrl } from './static-files.ts'
import { displayChoices } from './theme.ts'

/** A complete HTML document. It uses only external styles and scripts, so that `default-src 'self'` suffices. */
export function layout(page: Page, { service: { settings }, headers }: PageRequest): string {
  const { title, basePath, viewer, styles = [], scripts = [] } = page
  const choices = displayChoices(headers.cookie)
  const { theme, density, menu } = choices
  return html`<!doctype html>
<html lang="${currentLanguage()}" data-theme="${theme}" data-density="${density}" data-menu="${menu}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Cadastre</title>
<link rel="preload" as="font" type="font/woff2" href="${staticUrl(basePath, 'inter-latin-wght-normal.woff2')}" crossorigin>
<link rel="icon" type="image/svg+xml" href="${staticUrl(basePath, 'icon.svg')}">
${(['page.css', 'icons.css', 'surface.css', 'form.css', 'header.css', 'frame.css', ...styles, 'phone.css', 'print.css'] as const).map((name) => html`<link rel="stylesheet" href="${staticUrl(basePath, name)}">\n`)}
${(viewer === undefined ? scripts : (['frame.client.ts', ...scripts] as const)).map((name) => html`<script type="module" src="${staticUrl(basePath, name)}"></script>\n`)}
</head>
<body data-base-path="${basePath}"${page.branch !== undefined && html` data-branch="${page.branch}"`}${scriptTexts()}>
<a class="skip" href="#content">${translate('Skip to content')}</a>
${header(page, choices)}
${topBanner(settings)}
${page.menu === undefined ? mainOf(page) : html`<div class="with-menu">${sidebar(page.menu)}${mainOf(page)}</div>`}
${banner(settings.bannerBottom)}
</body>
</html>
`.toString()
}

const mainOf = (page: Page): Html => html`<main id="content">
${page.branchLine}
${trailOf(page)}
${page.body}
</main>`

function trailOf({ basePath, breadcrumbs = [] }: Page): Content {
  // A single step would only repeat the title.
  if (breadcrumbs.length < 2) return undefined
  const steps = breadcrumbs.map(({ label, path }, index) =>
    index === breadcrumbs.length - 1
      ? html`<li><a href="${basePath}${path}" aria-current="page">${label}</a></li>`
      : html`<li><a href="${basePath}${path}">${label}</a></li>`,
  )
  return html`<nav class="breadcrumbs" aria-label="${translate('Breadcrumb')}"><ol>${steps}</ol></nav>`
}
