// The worker in Node.

import { parentPort } from "node:worker_threads";
import type { Asked } from "./search.js";
import { Server } from "./serve.js";

if (parentPort === null) throw new Error("this is a worker: start it with kernel.search()");
const server = new Server(parentPort);
parentPort.on("message", (asked: Asked) => server.hear(asked));
