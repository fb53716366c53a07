import { browser } from './browser.ts'

/**
 * True where this code runs for the private windows alone: Chrome gives them a worker of their own (`"incognito": "split"`), whose databases it holds in
 * memory, while `storage` and rules are those of all windows. Firefox has one event page for both.
 */
export const inPrivateContext: boolean = import.meta.env.WARY_TARGET !== 'firefox' && browser.extension.inIncognitoContext === true
