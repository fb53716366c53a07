/** The browser's functions for our pages, the same in both browsers. The worker has `browser.ts`: there the polyfill's 5 ms come before each cold start's first event. */
export { default as browser } from 'webextension-polyfill'
