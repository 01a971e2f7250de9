// IndexedDB through idb: a database that is opened on first use, closed when another tab upgrades
// it, and opened again after the browser has closed it.

import { type IDBPDatabase, type IDBPObjectStore, type IDBPTransaction, openDB } from "idb";
import { PageError } from "../domain/errors";
import { t } from "../domain/i18n";
import { toast } from "../domain/messages";

type Mode = "readonly" | "readwrite";
type ObjectStore<M extends Mode> = IDBPObjectStore<unknown, [string], string, M>;
type Transaction<M extends Mode> = IDBPTransaction<unknown, [string], M>;

export class Database {
  private opening: Promise<IDBPDatabase> | null = null;

  constructor(
    private readonly name: string,
    private readonly version: number,
    private readonly upgrade: (database: IDBPDatabase, from: number) => void,
  ) {}

  /** Read from a store in one transaction. Raise `PageError` if that fails. */
  read<T>(store: string, act: (objects: ObjectStore<"readonly">) => Promise<T>): Promise<T> {
    return this.transact(store, "readonly", act);
  }

  /** Change a store in one transaction, and wait until it is committed. Raise `PageError` if that
   * fails. */
  write<T>(store: string, act: (objects: ObjectStore<"readwrite">) => Promise<T>): Promise<T> {
    return this.transact(store, "readwrite", act);
  }

  private async transact<M extends Mode, T>(
    store: string,
    mode: M,
    act: (objects: ObjectStore<M>) => Promise<T>,
  ): Promise<T> {
    const transaction = await this.begin(store, mode);
    try {
      const [result] = await Promise.all([act(transaction.store), transaction.done]);
      return result;
    } catch (cause) {
      throw new PageError("storage-failed", { cause });
    }
  }

  private async begin<M extends Mode>(store: string, mode: M): Promise<Transaction<M>> {
    // "strict": flushed to the disk before the transaction counts as complete.
    const begin = (database: IDBPDatabase) =>
      database.transaction(store, mode, { durability: "strict" });
    try {
      return begin(await this.open());
    } catch (error) {
      if (!(error instanceof DOMException) || error.name !== "InvalidStateError") throw error;
      this.opening = null; // the connection was closed a moment ago
      return begin(await this.open());
    }
  }

  private open(): Promise<IDBPDatabase> {
    this.opening ??= this.connect().catch((error) => {
      this.opening = null;
      throw error;
    });
    return this.opening;
  }

  private connect(): Promise<IDBPDatabase> {
    return new Promise((resolve, reject) => {
      openDB(this.name, this.version, {
        upgrade: (database, from) => this.upgrade(database, from),
        blocked: () => reject(new PageError("storage-blocked")),
        // Another tab with a newer page upgrades the database.
        blocking: (_current, _blocked, event) => {
          (event.target as IDBDatabase).close();
          this.opening = null;
        },
        terminated: () => {
          this.opening = null;
        },
      }).then(resolve, (cause) => reject(new PageError("storage-failed", { cause })));
    });
  }
}

let isWarned = false;

/** Warn the reader, once a visit, that something is in memory only. */
export function warnMemoryOnly(): void {
  if (isWarned) return;
  isWarned = true;
  toast(
    t(
      "This browser can't store anything at the moment: games and analyses are lost when you close or reload this page.",
    ),
  );
}

const PERSIST_KEY = "sumito.persist";

/** Ask the browser, once, not to clear the stored games when it runs short of space. */
export async function askToPersist(): Promise<void> {
  try {
    if (localStorage.getItem(PERSIST_KEY) !== null) return;
    localStorage.setItem(PERSIST_KEY, "asked");
    await navigator.storage?.persist?.();
  } catch {
    // Without localStorage there is nothing to protect either.
  }
}
