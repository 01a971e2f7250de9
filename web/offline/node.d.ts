// The few things of Node that the build and its tests use.

declare module "node:crypto" {
  interface Hash {
    update(data: string | Uint8Array): Hash;
    digest(encoding: "hex"): string;
  }
  export function createHash(name: string): Hash;
}

declare module "node:fs" {
  interface Entry {
    readonly name: string;
    readonly parentPath: string;
    isFile(): boolean;
  }
  export function readdirSync(path: string): string[];
  export function readdirSync(
    path: string,
    options: { recursive: true; withFileTypes: true },
  ): Entry[];
  export function readFileSync(path: string): Uint8Array;
  export function readFileSync(path: string, encoding: "utf8"): string;
  export function writeFileSync(path: string, text: string): void;
  export function mkdtempSync(prefix: string): string;
  export function mkdirSync(path: string, options: { recursive: true }): void;
}

declare module "node:os" {
  export function tmpdir(): string;
}

declare module "node:path" {
  export function join(...parts: string[]): string;
  export function dirname(path: string): string;
}
