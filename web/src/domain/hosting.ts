// Where this page is hosted: by a server of Sumito, or as plain files on any web host (`sumito
// site`). As plain files, addresses follow a # and there are no requests to a server.

/** Whether there is a server; of no use in a worker, which has no document. */
export const hasServer = globalThis.document?.documentElement.dataset.site !== "files";

/** The page's folder. */
export const root = hasServer ? "/" : "./";
