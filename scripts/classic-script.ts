import type { Plugin } from 'vite'

/**
 * Makes the scripts of one page classic ones. The leave page runs in a sandboxed frame, so its origin is opaque; Firefox refuses a module
 * script there (modules are fetched with CORS) unless the file is opened to every website by `web_accessible_resources`.
 */
export function classicScript(page: string): Plugin {
  return {
    name: 'wary:classic-script',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html, { path, chunk }) {
        if (path !== `/${page}`) return html
        if (chunk && chunk.imports.length + chunk.dynamicImports.length + chunk.exports.length > 0) {
          throw new Error(`${page} must have one script without imports at run time, but it loads ${chunk.imports.join(', ')}`)
        }
        return html.replaceAll('<script type="module" crossorigin', '<script defer').replaceAll(' crossorigin', '')
      },
    },
  }
}
