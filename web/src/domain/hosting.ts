// Where this page is hosted: by a server of Sumito, or as plain files on any web host (`sumito
// site`). As plain files, addresses stand behind a # and there are no requests to a server.

/** Where there is no page at all, as in a worker, nobody asks. */
export const hasServer = globalThis.document?.documentElement.dataset.site !== "files";

/** The folder in which the page lies. */
export const root = hasServer ? "/" : "../local";
