/**
 * `npm run icons`: renders public/icons/icon.svg to the PNGs of the manifest, and a grey set for a tab or browser that is not protected.
 * The PNGs are committed; run this after a change to the drawing.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import puppeteer from 'puppeteer-core'
import { browserExecutable } from './find-browsers.mjs'

const SIZES = [16, 32, 48, 128]
/** Colours of icon.svg, and the greys in their place. */
const GREYS: Readonly<Record<string, string>> = { '#12636b': '#6b7280', '#1b7f86': '#7c848f', '#0d4147': '#4b5563' }

const folder = new URL('../public/icons/', import.meta.url)
const drawing = readFileSync(new URL('icon.svg', folder), 'utf8')
const variants = { icon: drawing, 'icon-off': drawing.replaceAll(/#[0-9a-f]{6}/g, (colour) => GREYS[colour] ?? colour) }

const browser = await puppeteer.launch({
  executablePath: browserExecutable('chromium'),
  headless: true,
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
})
try {
  const page = await browser.newPage()
  for (const [name, svg] of Object.entries(variants)) {
    for (const size of SIZES) {
      await page.setViewport({ width: size, height: size })
      await page.setContent(`<style>body { margin: 0 } svg { display: block; width: 100vw; height: 100vh }</style>${svg}`)
      const path = fileURLToPath(new URL(`${name}-${size}.png`, folder))
      writeFileSync(path, await page.screenshot({ type: 'png', omitBackground: true }))
    }
  }
} finally {
  await browser.close()
}
