// Addresses within the page: a link changes what is shown without loading anew.

import { hasServer } from "./local/site";

export type Route =
  | { page: "home" | "lobby" | "games" | "leaderboard" | "account" | "missing" }
  | { page: "learn" }
  | { page: "rules" | "words"; section: string }
  | { page: "lesson"; lesson: string; step: string }
  | { page: "game"; id: string }
  | { page: "player"; name: string };

/** The address within the page; as plain files on a web host it stands behind a #. */
function here(): string {
  return hasServer ? location.pathname + location.hash : location.hash.slice(1) || "/";
}

/** The path within the page, without the place in it. */
export function path(): string {
  return here().split("#")[0] ?? "/";
}

export function route(address = here()): Route {
  const [path = "", place = ""] = address.split("#");
  const [, first = "", second = "", third = ""] = path.split("/");
  if (first === "") return { page: "home" };
  if (first === "learn" && second) return { page: "lesson", lesson: second, step: third };
  if (first === "learn") return { page: first };
  if (first === "rules" || first === "words") return { page: first, section: place };
  if (first === "g" && second) return { page: "game", id: second };
  if (first === "players" && second) return { page: "player", name: decodeURIComponent(second) };
  if (first === "lobby" || first === "games" || first === "leaderboard" || first === "account") {
    return { page: first };
  }
  return { page: "missing" };
}

/** An address of this page as a link that a new tab can open. */
export function address(path: string): string {
  return hasServer ? path : `#${path}`;
}

export const router = new EventTarget();

export function go(path: string): void {
  history.pushState(null, "", hasServer ? path : `#${path}`);
  router.dispatchEvent(new Event("change"));
  scrollTo(0, 0);
}

/** Follow plain clicks on links of our own. */
export function followLinks(): void {
  addEventListener("popstate", () => router.dispatchEvent(new Event("change")));
  addEventListener("click", (event) => {
    if (event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    if (!link || link.origin !== location.origin || link.target || link.hasAttribute("download")) {
      return;
    }
    const within = link.hash && link.pathname === location.pathname;
    if (link.pathname.startsWith("/api/") || within) return;
    event.preventDefault();
    go(link.pathname + link.search + link.hash);
  });
}
