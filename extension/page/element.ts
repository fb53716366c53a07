/** The element of a page's own markup. @throws {TypeError} when the markup lacks it: a fault of ours that tests find */
export function pageElement<E extends HTMLElement>(id: string, kind: new () => E): E {
  const element = document.getElementById(id)
  if (!(element instanceof kind)) throw new TypeError(`the page has no ${kind.name} #${id}`)
  return element
}

/** A new element with `children`, of which strings become text nodes. */
export function element<T extends keyof HTMLElementTagNameMap>(
  tag: T,
  attributes: Readonly<Record<string, string>> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[T] {
  const made = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value)
  made.append(...children)
  return made
}

/** Text from outside, apart from the direction of what stands around it. */
export function isolated(text: string, attributes: Readonly<Record<string, string>> = {}): HTMLElement {
  return element('bdi', { dir: 'ltr', ...attributes }, text)
}

/** Sets a text that may be set again and again: screen readers announce a live region whenever its text nodes change. */
export function setText(target: HTMLElement, text: string): void {
  if (target.textContent !== text) target.textContent = text
}

/** Shows `text`, or hides the element where there is none. */
export function setOptionalText(target: HTMLElement, text: string | undefined): void {
  target.hidden = text === undefined
  setText(target, text ?? '')
}
