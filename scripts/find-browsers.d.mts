type BrowserName = 'chromium' | 'firefox'
export const BROWSERS: Readonly<Record<BrowserName, { readonly variable: string; readonly aptPackage: string; readonly advice: string }>>
export function findBrowser(name: BrowserName): string | undefined
export function browserExecutable(name: BrowserName): string
