/** The only import of the polyfill: everything else gets the parts it needs. */
export { default as browser } from 'webextension-polyfill'
