/** Creates an element with a class and children. */
export function element(tag: string, className: string, ...children: readonly (Node | string)[]): HTMLElement {
  const made = document.createElement(tag);
  made.className = className;
  made.append(...children);
  return made;
}
