// The worker in which the computer thinks.

import "../../kernel/src/worker";
