// IndexedDB: a database that is opened on first use, closed when another tab upgrades it, and
// opened again after the browser has closed it.

import { PageError } from "../domain/errors";
import { t } from "../domain/i18n";
import { toast } from "../domain/messages";

export class Database {
  private opening: Promise<IDBDatabase> | null = null;

  constructor(
    private readonly name: string,
    private readonly version: number,
    private readonly upgrade: (database: IDBDatabase, from: number) => void,
  ) {}

  /** Run one request in a transaction and wait until it is committed. */
  async request<T>(
    store: string,
    mode: IDBTransactionMode,
    act: (objects: IDBObjectStore) => IDBRequest<T>,
  ): Promise<T> {
    const change = await this.transaction(store, mode);
    const request = act(change.objectStore(store));
    await committed(change);
    return request.result;
  }

  /** Replace what is stored under a key by what `change` makes of it, in one transaction. */
  async update<T>(
    store: string,
    key: IDBValidKey,
    change: (stored: T | undefined) => T,
  ): Promise<T> {
    const transaction = await this.transaction(store, "readwrite");
    const objects = transaction.objectStore(store);
    const request: IDBRequest<T | undefined> = objects.get(key);
    let changed: T | undefined;
    request.onsuccess = () => {
      changed = change(request.result);
      objects.put(changed);
    };
    await committed(transaction);
    return changed as T;
  }

  private async transaction(store: string, mode: IDBTransactionMode): Promise<IDBTransaction> {
    // "strict": flushed to the disk before the transaction counts as complete.
    const begin = (database: IDBDatabase) =>
      database.transaction(store, mode, { durability: "strict" });
    try {
      return begin(await this.open());
    } catch (error) {
      if (!(error instanceof DOMException) || error.name !== "InvalidStateError") throw error;
      this.opening = null; // the connection was closed a moment ago
      return begin(await this.open());
    }
  }

  private open(): Promise<IDBDatabase> {
    this.opening ??= this.connect().catch((error) => {
      this.opening = null;
      throw error;
    });
    return this.opening;
  }

  private connect(): Promise<IDBDatabase> {
    return new Promise((resolve, reject) => {
      const request = indexedDB.open(this.name, this.version);
      request.onupgradeneeded = ({ oldVersion }) => this.upgrade(request.result, oldVersion);
      request.onsuccess = () => {
        const database = request.result;
        database.onclose = () => {
          this.opening = null;
        };
        // Another tab with a newer page wants to change the tables.
        database.onversionchange = () => {
          database.close();
          this.opening = null;
        };
        resolve(database);
      };
      request.onerror = () => reject(new PageError("storage-failed", { cause: request.error }));
      request.onblocked = () => reject(new PageError("storage-blocked"));
    });
  }
}

function committed(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    const failed = () => reject(new PageError("storage-failed", { cause: transaction.error }));
    transaction.oncomplete = () => resolve();
    transaction.onerror = failed;
    transaction.onabort = failed;
  });
}

let told = false;

/** Tell the reader, once a visit, that something is kept in memory only. */
export function warnMemoryOnly(): void {
  if (told) return;
  told = true;
  toast(
    t(
      "This browser can't store anything at the moment: games and analyses are lost when you close or reload this page.",
    ),
  );
}

const ASKED = "sumito.persist";

/** Ask the browser, once, not to clear the stored games when it runs short of space. */
export async function askToPersist(): Promise<void> {
  try {
    if (localStorage.getItem(ASKED) !== null) return;
    localStorage.setItem(ASKED, "asked");
    await navigator.storage?.persist?.();
  } catch {
    // Without localStorage there is nothing to protect either.
  }
}
