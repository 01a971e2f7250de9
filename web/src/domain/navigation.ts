// Navigation within the page, without loading it again.

import { hasServer } from "./hosting";

/** The address within the page; as plain files on a web host it follows a #. */
export function here(): string {
  const behind = location.search + location.hash;
  if (hasServer) return location.pathname + behind;
  const path = location.hash.slice(1);
  return path.startsWith("/") ? path : "/";
}

/** The path within the page, without what is asked of it and the place in it. */
export function path(): string {
  return here().split(/[?#]/)[0] ?? "/";
}

export const router = new EventTarget();

/** An address of the page, as a link for others or for the address bar. */
export function address(path: string): string {
  return hasServer ? path : `#${path}`;
}

export function go(path: string): void {
  history.pushState(null, "", address(path));
  router.dispatchEvent(new Event("change"));
  scrollTo(0, 0);
}
