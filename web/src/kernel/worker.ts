// The Web Worker in which the engine searches.

import "../../kernel/src/worker";
