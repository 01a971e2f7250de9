// The route table, and links that are followed without loading the page again.

import { hasServer } from "../domain/hosting";
import { address, go, here, router } from "../domain/navigation";

export type Route =
  | { page: "home" | "lobby" | "games" | "leaderboard" | "account" | "missing" }
  | { page: "analysis" | "editor" | "embed"; query: string }
  | { page: "puzzles"; path: string; query: string }
  | { page: "review"; id: string }
  | { page: "learn" }
  | { page: "rules" | "words"; section: string }
  | { page: "lesson"; lesson: string; step: string }
  | { page: "game"; id: string }
  | { page: "player"; name: string };

export function route(shown = here()): Route {
  const [whole = "", place = ""] = shown.split("#");
  const [path = "", query = ""] = whole.split(/\?(.*)/s);
  const [, first = "", second = "", third = ""] = path.split("/");
  if (first === "analysis" || first === "editor" || first === "embed") {
    return { page: first, query };
  }
  if (first === "review") return { page: first, id: second };
  if (first === "openings") return { page: "analysis", query };
  if (first === "puzzles") return { page: first, path: second, query };
  if (first === "") return { page: "home" };
  if (first === "learn" && second) return { page: "lesson", lesson: second, step: third };
  if (first === "learn") return { page: first };
  if (first === "rules" || first === "words") return { page: first, section: place };
  if (first === "g" && second) return { page: "game", id: second };
  const name = first === "players" ? decoded(second) : null;
  if (name) return { page: "player", name };
  if (first === "lobby" || first === "games" || first === "leaderboard" || first === "account") {
    return { page: first };
  }
  return { page: "missing" };
}

/** A part of an address in plain text; null if its percent signs are wrong. */
function decoded(part: string): string | null {
  try {
    return decodeURIComponent(part);
  } catch {
    return null;
  }
}

/** Follow plain clicks on links of our own. */
export function followLinks(): void {
  addEventListener("popstate", () => router.dispatchEvent(new Event("change")));
  if (!hasServer) writeAddresses();
  addEventListener("click", (event) => {
    if (event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    if (!link || link.origin !== location.origin || link.target || link.hasAttribute("download")) {
      return;
    }
    if (!hasServer && link.pathname === location.pathname && link.hash) {
      event.preventDefault();
      if (link.hash.startsWith("#/")) go(link.hash.slice(1));
      else document.getElementById(link.hash.slice(1))?.focus(); // a place on this page
      return;
    }
    const within = link.hash && link.pathname === location.pathname;
    if (link.pathname.startsWith("/api/") || within) return;
    event.preventDefault();
    go(link.pathname + link.search + link.hash);
  });
}

/**
 * Among plain files a link to /learn leads to the host's root when it is opened in a new tab or
 * copied: give each the address it has here, #/learn, as soon as it is drawn.
 */
function writeAddresses(): void {
  const write = (link: Element) => {
    const path = link.getAttribute("href");
    if (path?.startsWith("/")) link.setAttribute("href", address(path));
  };
  const writeAll = (within: ParentNode) => {
    for (const link of within.querySelectorAll("a[href^='/']")) write(link);
  };
  new MutationObserver((changes) => {
    for (const { type, target, addedNodes } of changes) {
      if (type === "attributes") write(target as Element);
      for (const node of addedNodes) {
        if (!(node instanceof Element)) continue;
        if (node.localName === "a") write(node);
        writeAll(node);
      }
    }
  }).observe(document, { subtree: true, childList: true, attributeFilter: ["href"] });
  writeAll(document);
}
