// The few things of Node that the package uses there.

declare module "node:worker_threads" {
  export class Worker {
    constructor(url: URL);
    postMessage(message: unknown): void;
    on(event: "message", heard: (message: unknown) => void): void;
    on(event: "error", heard: (error: Error) => void): void;
    unref(): void;
    terminate(): Promise<number>;
  }
  export const parentPort: {
    postMessage(message: unknown): void;
    on(event: "message", heard: (message: never) => void): void;
  } | null;
}

declare module "node:fs/promises" {
  export function readFile(url: URL): Promise<Uint8Array>;
}
