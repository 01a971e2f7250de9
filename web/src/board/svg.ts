// Making SVG elements without a framework.

export type Attributes = Record<string, string | number>;

export function svg<K extends keyof SVGElementTagNameMap>(
  name: K,
  attributes: Attributes = {},
  ...children: (Node | string)[]
): SVGElementTagNameMap[K] {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) {
    element.setAttribute(key, typeof value === "number" ? String(round(value)) : value);
  }
  element.append(...children);
  return element;
}

export function round(value: number): number {
  return Math.round(value * 10) / 10;
}

export function translate({ x, y }: { x: number; y: number }): string {
  return `translate(${round(x)} ${round(y)})`;
}
