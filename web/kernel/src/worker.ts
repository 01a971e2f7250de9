// The worker in a browser.

import type { Asked } from "./search.js";
import { Server } from "./serve.js";

const server = new Server(globalThis as unknown as Worker);
addEventListener("message", (event: MessageEvent<Asked>) => server.hear(event.data));
